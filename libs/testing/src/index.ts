export * from './databases/test-database.js';
export * from './servers/ports.js';
export * from './servers/postgres.js';
export * from './servers/redis.js';
export * from './stack/service-replica.js';
export * from './stack/stack.js';
export * from './stack/stack-file.js';
export * from './stack/stack-options.js';
