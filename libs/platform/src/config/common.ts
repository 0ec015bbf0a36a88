import { str } from 'envalid';
import { integer, urlWith } from './validators.js';

/** Variables that every service reads. */
export const commonConfig = {
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    default: 'info',
    desc: 'lowest level that is logged',
  }),
  LOG_PRETTY: str({
    choices: ['true', 'false'],
    default: 'false',
    desc: '`true`: readable lines instead of JSON',
  }),
  SERVICE_REDIS_URL: urlWith(
    'redis:',
    'rediss:',
  )({
    desc: 'Redis (7 or later) that carries the messages between the services',
    example: 'redis://localhost:6379',
  }),
  INTERNAL_PORT: integer({ min: 0, max: 65_535 })({
    desc: 'port of the health endpoints; never made public',
  }),
  INTERNAL_HOST: str({ default: '127.0.0.1', desc: 'address on which the health endpoints listen' }),
};

/** Variables of a service that owns a database. */
export const databaseConfig = {
  DATABASE_POOL_SIZE: integer({ min: 1, max: 200 })({
    default: 10,
    desc: 'connections to PostgreSQL per replica',
  }),
};
