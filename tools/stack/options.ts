import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '#local-stack';

export interface LauncherOptions {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** `undefined`: the default one when free, else any. */
  readonly publicPort: number | undefined;
  readonly adminPort: number | undefined;
  readonly dataDirectory: string;
  /** Start over: first remove the data of earlier starts from the data directory. */
  readonly reset: boolean;
  readonly sample: boolean;
  readonly detach: boolean;
  readonly watch: boolean;
}

export const defaultDataDirectory = '.local';

export const usage = `Usage: npm start -- [options]

Starts the whole service on this machine: PostgreSQL, Redis, gateway, catalog and billing. Ctrl-C stops it.

  --replicas LIST     replicas of each service, e.g. gateway=2,catalog=2,billing=2 (default: one of each)
  --public-port N     port of the public API (default: PORT, else 3000, or a free one when that is in use)
  --admin-port N      port of the admin API (default: ADMIN_PORT, else 3001, or a free one when that is in use)
  --data-dir DIR      directory for data and logs (default: ${defaultDataDirectory})
  --no-sample         start with an empty catalog
  --reset             start over: first remove the data of earlier starts from the data directory
  --detach            return when everything is ready; \`npm stop\` stops it
  --watch             rebuild and restart a service when its source files change (npm run start:dev)
  --help              print this help

Existing servers are used instead of private ones when these are set:
  CATALOG_DATABASE_URL, BILLING_DATABASE_URL, SERVICE_REDIS_URL
Their databases are migrated. Sample creators and the demo account are only added to a database that was empty;
--reset does not touch these databases.

Other variables of docs/configuration.md are passed to the services (LOG_LEVEL, SEARCH_ENGINE, OTEL_* ...), except those
that this stack sets itself: ADMIN_TOKEN, SITE_URL, the ports, TLS_*.
`;

const replicasMax = 16;
const portMax = 65_535;

/** An invalid command line of the launcher. */
export class UsageError extends Error {}

/** The parsed options; `null` for `--help`. Throws `UsageError`. */
export function parseOptions(
  parameters: string[],
  { PORT, ADMIN_PORT }: NodeJS.ProcessEnv = {},
): LauncherOptions | null {
  const values = readParameters(parameters);
  if (values.help) return null;
  return {
    replicas: parseReplicas(values.replicas),
    publicPort: portOf('--public-port', values['public-port'], 'PORT', PORT),
    adminPort: portOf('--admin-port', values['admin-port'], 'ADMIN_PORT', ADMIN_PORT),
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

/** The port of the option, else of the variable; an empty variable is one that is not set. */
function portOf(
  option: string,
  given: string | undefined,
  variable: string,
  inherited: string | undefined,
): number | undefined {
  return given === undefined ? parsePort(variable, inherited || undefined) : parsePort(option, given);
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
          `"${part}" is invalid.`,
      );
    }
    replicas[service] = count;
  }
  return replicas;
}

/** The command line that stops the stack of a data directory. */
export function stopLine(dataDirectory: string): string {
  return ['npm stop', ...dataDirectoryOption(dataDirectory)].join(' -- ');
}

/** The beginning of a command line that operates the stack of a data directory. */
export function cliLine(dataDirectory: string): string {
  return ['npm run cli --', ...dataDirectoryOption(dataDirectory)].join(' ');
}

/** Empty for the default directory. */
function dataDirectoryOption(dataDirectory: string): string[] {
  return dataDirectory === resolve(defaultDataDirectory) ? [] : [`--data-dir ${quoted(dataDirectory)}`];
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
