import { str } from 'envalid';
import { integer, redisUrl, urlWith } from './validators.js';

/** Variables read by every service. */
export const commonConfig = {
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    default: 'info',
    desc: 'lowest level to log',
  }),
  LOG_PRETTY: str({
    choices: ['true', 'false'],
    default: 'false',
    desc: 'log readable lines instead of JSON',
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
    desc: "OpenTelemetry collector to which traces are sent over HTTP; empty: no tracing. The SDK's other variables apply too",
  }),
  SHUTDOWN_MS: integer({ min: 1_000, max: 600_000 })({
    default: 25_000,
    desc: 'time to finish work in progress after SIGTERM, ms; then the process exits regardless. Must be shorter than the grace period of the orchestrator',
  }),
  NODE_ENV: str({
    default: undefined,
    desc: '`production` refuses what is only for development, and warns of origins that are not set; a live key of Stripe is refused without it',
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

/** Each service has a different default port, so that all can run on one machine with the same variables. */
export const internalPort = (usual: number) =>
  integer({ min: 0, max: 65_535 })({
    default: usual,
    desc: 'port of the health endpoints and metrics; must not be reachable from the internet',
  });
