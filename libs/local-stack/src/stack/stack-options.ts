import { type ServiceName } from './service-replica.js';
import { type DatabaseName, type DatabaseUrls } from './stack-databases.js';

/** Where PostgreSQL and Redis of a stack are. */
export interface ServerUrls {
  readonly redis: string;
  readonly databases: DatabaseUrls;
}

export interface StackOptions {
  /** Default: one of each service. */
  readonly replicas?: Partial<Readonly<Record<ServiceName, number>>>;
  /** Keeps the data of PostgreSQL and Redis, and the logs. Default: a temporary one that goes with the stack. */
  readonly dataDirectory?: string;
  /** Default: a free one. */
  readonly publicPort?: number;
  readonly adminPort?: number;
  /** Default: a random one. */
  readonly adminToken?: string;
  /** Used instead of own servers. */
  readonly redisUrl?: string;
  readonly catalogDatabaseUrl?: string;
  readonly billingDatabaseUrl?: string;
  /** Additional variables of the services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional variables of one service, asked for once its servers run: a way to put something between them. */
  readonly environmentOf?: (service: ServiceName, servers: ServerUrls) => Promise<Record<string, string>>;
  /** Additional variables of the migration job of a database. Default: it runs as the service does. */
  readonly migrationEnvironment?: (name: DatabaseName) => Readonly<Record<string, string>>;
  /** Called after each step of the start. */
  readonly onStep?: (step: string, durationMs: number) => void;
  /** Called when a database had never been migrated before, as soon as it has been. */
  readonly onNewDatabase?: (name: DatabaseName) => void;
  /** Called when a process ended and is started again. */
  readonly onEvent?: (text: string) => void;
  /** Called when a pid has changed. */
  readonly onChange?: () => void;
}

/**
 * What the services inherit: the shell's variables, without those that would lead them, or the libraries that they use,
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
