/** What services with a database use of this library: the others don't load TypeORM. */
export * from './database/admin-log.js';
export { AdminLogRow } from './database/admin-log.entity.js';
export { checkDatabase, connectDatabase } from './database/check-database.js';
export * from './database/connection-options.js';
export { DatabaseModule } from './database/database.module.js';
export { databaseCode } from './database/failures.js';
export * from './database/grants.js';
export * from './database/observed-query.js';
export * from './database/postgres.js';
export * from './database/query.js';
export { autocommitQuery, copyFrom, copyTo, poolCounts } from './database/raw-connection.js';
export * from './database/run-migrations.js';
export * from './database/transaction-runner.js';
