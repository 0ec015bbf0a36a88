export { fetchDistributionPackage, fetchOnce, isExecutable } from './programs/fetch-packages.js';
export { findPostgres, postgresClientsPath } from './programs/find-postgres.js';
export { findRedis } from './programs/find-redis.js';
export { guardDirectory } from './processes/guardian.js';
export { isAlive, run, runOrThrow } from './processes/run.js';
export { ServerProcess } from './processes/server-process.js';
export { type Supervised } from './processes/supervised.js';
export { directoryFor, postgresDirectory, postgresUser, type RunAs } from './processes/unprivileged-user.js';
export * from './databases.js';
export { freePort, freePorts, isPortFree } from './ports.js';
export * from './servers/postgres.js';
export * from './servers/redis.js';
export * from './stack/service-replica.js';
export * from './stack/stack.js';
export {
  createServiceDatabases,
  databaseNames,
  type DatabaseName,
  type DatabaseUrls,
  migrateDatabase,
} from './stack/stack-databases.js';
export * from './stack/stack-file.js';
export * from './stack/stack-options.js';
export { type ReadMail, readMail } from './read-mail.js';
