import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@app/local-stack';

export interface LauncherOptions {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** `undefined`: the usual one when it is free, else any. */
  readonly publicPort: number | undefined;
  readonly adminPort: number | undefined;
  readonly dataDirectory: string;
  /** Start over, without what earlier starts have left in the data directory. */
  readonly reset: boolean;
  readonly sample: boolean;
  readonly detach: boolean;
  readonly watch: boolean;
}

export const defaultDataDirectory = '.local';

export const usage = `Usage: npm start -- [options]

Starts the whole service on this machine: PostgreSQL, Redis, gateway, catalog and billing. Ctrl-C ends it.

  --replicas LIST     how many of each service, e.g. gateway=2,catalog=2,billing=2 (default: one of each)
  --public-port N     port of the public API (default: 3000, another one when that is taken)
  --admin-port N      port of the admin API (default: 3001, another one when that is taken)
  --data-dir DIR      where data and logs are kept (default: ${defaultDataDirectory})
  --no-sample         start with an empty catalog
  --reset             start over: first remove what earlier starts have left in the data directory
  --detach            return when everything is ready; \`npm stop\` ends it
  --watch             rebuild and restart a service when its source files change (npm run start:dev)
  --help              this text

Own servers are used instead of private ones when these are set:
  CATALOG_DATABASE_URL, BILLING_DATABASE_URL, SERVICE_REDIS_URL
Their databases are migrated. Sample creators and the demo account are put into a database that was new, and into no other;
--reset leaves them as they are.

Other variables of docs/configuration.md reach the services (LOG_LEVEL, SEARCH_ENGINE, OTEL_* ...), but those that this
stack sets itself: ADMIN_TOKEN, SITE_URL, the ports, TLS_*.
`;

const replicasMax = 16;
const portMax = 65_535;

/** A mistake in how the launcher was called. */
export class UsageError extends Error {}

/** The parsed options; `null` when help is asked for. Throws `UsageError`. */
export function parseOptions(parameters: string[]): LauncherOptions | null {
  const values = readParameters(parameters);
  if (values.help) return null;
  return {
    replicas: parseReplicas(values.replicas),
    publicPort: parsePort('--public-port', values['public-port']),
    adminPort: parsePort('--admin-port', values['admin-port']),
    dataDirectory: resolve(values['data-dir'] ?? defaultDataDirectory),
    reset: values.reset ?? false,
    sample: !(values['no-sample'] ?? false),
    detach: values.detach ?? false,
    watch: values.watch ?? false,
  };
}

function readParameters(parameters: string[]) {
  try {
    return parseArgs({
      args: parameters,
      options: {
        replicas: { type: 'string' },
        'public-port': { type: 'string' },
        'admin-port': { type: 'string' },
        'data-dir': { type: 'string' },
        reset: { type: 'boolean' },
        'no-sample': { type: 'boolean' },
        detach: { type: 'boolean' },
        watch: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parsePort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= portMax)) {
    throw new UsageError(`${name} must be a port from 1 to ${portMax}, not "${text}".`);
  }
  return port;
}

function parseReplicas(text: string | undefined): Record<ServiceName, number> {
  const replicas: Record<ServiceName, number> = { gateway: 1, catalog: 1, billing: 1 };
  for (const part of text?.split(',') ?? []) {
    const [, name, digits] = /^(\w+)=(\d{1,3})$/.exec(part.trim()) ?? [];
    const service = serviceNames.find((known) => known === name);
    const count = Number(digits);
    if (service === undefined || count < 1 || count > replicasMax) {
      throw new UsageError(
        `--replicas takes a list such as gateway=2,catalog=2,billing=2, each from 1 to ${replicasMax}; ` +
          `"${part}" does not fit.`,
      );
    }
    replicas[service] = count;
  }
  return replicas;
}
