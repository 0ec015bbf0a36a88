import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '../stack/service-replica.js';

export const defaultDataDirectory = '.local';

export const usage = `Usage: npm start -- [options]

Starts the whole service on this machine: PostgreSQL, Redis, gateway, website, catalog and billing. Ctrl-C stops it.

  --replicas LIST     replicas of each service, e.g. gateway=2,catalog=2,billing=2 (default: one of each)
  --public-port N     port of the public API (default: PORT, else 3000, or a free one when that is in use)
  --admin-port N      port of the admin API (default: ADMIN_PORT, else 3001, or a free one when that is in use)
  --site-port N       port of the website (default: SITE_PORT, else 3002, or a free one when that is in use)
  --data-dir DIR      directory for data and logs (default: ${defaultDataDirectory})
  --no-sample         start with an empty catalog
  --reset             start over: first remove the data of earlier starts from the data directory
  --detach            return when everything is ready; \`npm stop\` stops it
  --watch             rebuild and restart the services when a source file changes (npm run start:dev)
  --help              print this help

Existing servers are used instead of private ones when these are set:
  CATALOG_DATABASE_URL, BILLING_DATABASE_URL, SERVICE_REDIS_URL
Their databases are migrated. Sample creators and the demo account are only added to a database that was empty;
--reset does not touch these databases.

Other variables of docs/configuration.md are passed to the services (LOG_LEVEL, SEARCH_ENGINE, OTEL_* ...), except those
that this stack sets itself: ADMIN_TOKEN, the ports, TLS_*.
`;

const replicasMax = 16;
const portMax = 65_535;

/** An invalid command line of the launcher. */
export class UsageError extends Error {}

export type LauncherOptions = NonNullable<ReturnType<typeof parseOptions>>;

/** The parsed options; `null` for `--help`. Throws `UsageError`. */
export function parseOptions(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const values = readArguments(args);
  if (values.help) return null;
  const port = (option: `${'public' | 'admin' | 'site'}-port`, variable: string) =>
    parsePort(`--${option}`, values[option]) ?? parsePort(variable, environment[variable] || undefined);
  return {
    replicas: parseReplicas(values.replicas),
    /** `undefined`: the usual one when free, else any. */
    publicPort: port('public-port', 'PORT'),
    adminPort: port('admin-port', 'ADMIN_PORT'),
    sitePort: port('site-port', 'SITE_PORT'),
    dataDirectory: resolve(values['data-dir']),
    /** Start over: first remove the data of earlier starts from the data directory. */
    reset: values.reset,
    sample: !values['no-sample'],
    detach: values.detach,
    watch: values.watch,
  };
}

function readArguments(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const options = {
    replicas: text,
    'public-port': text,
    'admin-port': text,
    'site-port': text,
    'data-dir': { ...text, default: defaultDataDirectory },
    reset: flag,
    'no-sample': flag,
    detach: flag,
    watch: flag,
    help: { ...flag, short: 'h' },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function parsePort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= portMax) return port;
  throw new UsageError(`${name} must be a port from 1 to ${portMax}, not "${text}".`);
}

function parseReplicas(text: string | undefined): Record<ServiceName, number> {
  const replicas: Record<ServiceName, number> = { gateway: 1, website: 1, catalog: 1, billing: 1 };
  for (const part of text?.split(',') ?? []) {
    const [, name, count] = /^(\w+)=(\d{1,3})$/.exec(part.trim()) ?? [];
    const service = serviceNames.find((known) => known === name);
    if (service === undefined || Number(count) < 1 || Number(count) > replicasMax) {
      throw new UsageError(
        `--replicas takes a list such as gateway=2,catalog=2,billing=2, each from 1 to ${replicasMax}; ` +
          `"${part}" is invalid.`,
      );
    }
    replicas[service] = Number(count);
  }
  return replicas;
}

/** The command line that stops the stack of a data directory. */
export function stopLine(dataDirectory: string): string {
  return `npm stop${dataDirectoryOption(dataDirectory, ' -- ')}`;
}

/** The beginning of a command line that operates the stack of a data directory. */
export function cliLine(dataDirectory: string): string {
  return `npm run cli --${dataDirectoryOption(dataDirectory, ' ')}`;
}

/** Empty for the default directory. */
function dataDirectoryOption(dataDirectory: string, before: string): string {
  if (dataDirectory === resolve(defaultDataDirectory)) return '';
  const isPlain = /^[\w./-]+$/.test(dataDirectory);
  return `${before}--data-dir ${isPlain ? dataDirectory : `'${dataDirectory.replaceAll("'", `'\\''`)}'`}`;
}
