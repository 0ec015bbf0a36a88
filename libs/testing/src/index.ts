export * from './databases/test-database.js';
export * from './servers/ports.js';
export * from './servers/postgres.js';
export * from './servers/redis.js';
