export * from './databases/entity-schema.js';
export { describeSchema } from './databases/schema.js';
export * from './databases/test-database.js';
export * from './http/response-reader.js';
export { fetchNode } from './servers/fetch-packages.js';
export * from './servers/ports.js';
export { postgresClientsPath } from './servers/find-postgres.js';
export * from './servers/pgbouncer.js';
export * from './servers/postgres.js';
export * from './servers/redis.js';
export { runOrThrow } from './servers/run.js';
export { postgresDirectory } from './servers/unprivileged-user.js';
export * from './servers/redis-cluster.js';
export * from './servers/redis-sentinel.js';
export * from './stack/deployed-layout.js';
export * from './stack/metrics.js';
export { serverLayouts } from './stack/server-layouts.js';
export * from './stack/service-replica.js';
export * from './stack/stack.js';
export * from './stack/stack-file.js';
export * from './stack/stack-options.js';
export * from './factories/billing-runs.js';
export * from './factories/billing.js';
export {
  createServiceDatabases,
  databaseNames,
  type DatabaseName,
  type DatabaseUrls,
  migrateDatabase,
} from './stack/stack-databases.js';
