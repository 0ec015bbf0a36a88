import { str } from 'envalid';
import { integer, redisUrl, urlWith } from './validators.js';

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
  SERVICE_REDIS_URL: redisUrl({
    desc: 'Redis (7 or later) that carries the messages between the services: a server, or `redis+sentinel://host:port,host:port/master`, or `redis+cluster://host:port,host:port`; `rediss` for TLS',
    example: 'redis://localhost:6379',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlWith(
    'http:',
    'https:',
  )({
    default: '',
    desc: "OpenTelemetry collector to which traces are sent over HTTP; empty: none are taken. The SDK's other variables hold too",
  }),
  SHUTDOWN_MS: integer({ min: 1_000, max: 600_000 })({
    default: 25_000,
    desc: 'after SIGTERM: how long a service may take to finish what is under way; then it ends whatever it is doing, ms. Must be shorter than the grace period of whatever stops it',
  }),
  INTERNAL_HOST: str({ default: '127.0.0.1', desc: 'address on which the internal port listens' }),
};

/** Variables of a service that owns a database. */
export const databaseConfig = {
  DATABASE_POOL_SIZE: integer({ min: 2, max: 200 })({
    default: 10,
    desc: 'connections to PostgreSQL per replica',
  }),
};

/** A port of its own for each service, so that all of them can run on one machine with the same variables. */
export const internalPort = (usual: number) =>
  integer({ min: 0, max: 65_535 })({
    default: usual,
    desc: 'port of the health endpoints and of the metrics; never made public',
  });
