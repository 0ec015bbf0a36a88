import { type DatabaseName, type DatabaseUrls } from '../servers/databases.js';
import { type SupervisionEvents } from '../processes/supervised.js';
import { type ServiceName } from './service-replica.js';

export type ProcessName = ServiceName | 'redis' | 'postgres';

/** URLs of a stack's PostgreSQL and Redis. */
export interface ServerUrls {
  readonly redis: string;
  readonly databases: DatabaseUrls;
}

export interface StackOptions extends SupervisionEvents {
  /** Replicas of each service. Default: one. */
  readonly replicas?: Partial<Readonly<Record<ServiceName, number>>>;
  /** Holds the data of PostgreSQL and Redis, and the logs. Default: a temporary one that is removed with the stack. */
  readonly dataDirectory?: string;
  /** Port of the public API; each of the three is a free one by default. */
  readonly publicPort?: number;
  readonly adminPort?: number;
  readonly sitePort?: number;
  /** Token of the admin API. Default: a random one. */
  readonly adminToken?: string;
  /** Used instead of private servers. */
  readonly redisUrl?: string;
  readonly catalogDatabaseUrl?: string;
  readonly billingDatabaseUrl?: string;
  /** Additional variables of the services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional variables of one service, requested once its servers run, for example to put a proxy in between. */
  readonly environmentOf?: (service: ServiceName, servers: ServerUrls) => Promise<Record<string, string>>;
  /** Additional variables of the migration job of a database, besides those of the services. */
  readonly migrationEnvironment?: (name: DatabaseName) => Readonly<Record<string, string>>;
  /** Called after each step of the start, with the time of `performance.now()` at which it began. */
  readonly onStep?: (step: string, startedAt: number) => void;
  /** Called as soon as a new database has been migrated. */
  readonly onNewDatabase?: (name: DatabaseName) => void;
}

/** What a running stack publishes for other programs, in `stack.json` of its data directory. */
export interface StackFile {
  /** Origins, without a path. */
  readonly public_url: string;
  readonly site_url: string;
  readonly admin_url: string;
  readonly admin_token: string;
  readonly demo_key: string | null;
  readonly redis_url: string;
  readonly catalog_database_url: string;
  readonly billing_database_url: string;
  /** Origins of the internal ports, one per replica: `/health/ready`, `/health/live`, `/metrics`. */
  readonly internal_urls: Readonly<Record<ServiceName, readonly string[]>>;
  /** Process ids of the servers themselves; empty for an external one. */
  readonly pids: Readonly<Record<ProcessName, readonly number[]>>;
}

/**
 * The variables that the services inherit: the shell's, except variables that would direct them, or their libraries,
 * to other servers or contradict what the stack sets.
 */
export function inheritedEnvironment(
  shell: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const foreign = /^(PG[A-Z]+|DATABASE_URL|REDIS_URL|LISTEN_\w+|TLS_\w+)$/;
  const kept = Object.entries(shell).filter(
    ([name]) => !foreign.test(name) && settings[name.replace(/_FILE$/, '')] === undefined,
  );
  return { ...Object.fromEntries(kept), ...settings };
}
