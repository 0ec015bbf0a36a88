/** What worker threads use of this library. NestJS and TypeORM, which take longer to load than all of it, are not in it. */
export * from './database/connection-options.js';
export * from './database/query.js';
export * from './database/thread-database.js';
export * from './source-maps.js';
