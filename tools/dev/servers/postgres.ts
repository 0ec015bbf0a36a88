import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, tail } from '../processes/run.js';
import { ServerProcess, type ServerProcessOptions } from '../processes/server-process.js';
import { directoryFor, postgresUser, type RunAs } from '../processes/unprivileged-user.js';
import { freePort } from './ports.js';
import { findPostgres, type PostgresPrograms } from './programs.js';

export interface PostgresServerOptions {
  /** Where the cluster is, or will be. Default: a temporary directory that is removed with the server. */
  readonly directory?: string;
  /** Further settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const superuser = 'postgres';

/** A running PostgreSQL. `restart` throws while backends of a killed postmaster linger; `stop` ends its sessions too. */
export class PostgresServer extends ServerProcess {
  constructor(
    readonly port: number,
    options: ServerProcessOptions,
  ) {
    super(options);
  }

  /** The superuser's URL of the named database. */
  url(database = 'postgres'): string {
    return `postgres://${superuser}@127.0.0.1:${this.port}/${database}`;
  }
}

/**
 * A private PostgreSQL on the loopback address. With a given directory it is durable; a temporary one is fast: commits
 * survive a crash of its processes, but not of the machine. Nothing that already runs is touched.
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const [programs, user] = await Promise.all([findPostgres(), postgresUser()]);
  const temporary = options.directory === undefined;
  const directory = options.directory ?? mkdtempSync(join(await directoryFor(user, tmpdir()), 'postgres-'));
  const cluster = await createCluster(programs, user, directory, temporary);
  const port = await freePort();
  const server = new PostgresServer(port, {
    name: 'PostgreSQL',
    command: join(programs.directory, 'postgres'),
    parameters: ['-D', cluster, '-p', String(port), ...serverSettings(temporary, options.settings)],
    environment: { ...programs.environment, PGDATA: undefined },
    directory: cluster,
    user,
    logFile: join(directory, 'postgres.log'),
    stopSignal: temporary ? 'QUIT' : 'INT',
    temporaryDirectory: temporary ? directory : undefined,
    isReady: (pid) => isReady(cluster, pid),
  });
  await server.waitUntilReady();
  return server;
}

function serverSettings(temporary: boolean, given: PostgresServerOptions['settings'] = {}): string[] {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=250'];
  if (temporary) settings.push('fsync=off', 'full_page_writes=off', 'wal_init_zero=off');
  settings.push(...Object.entries(given).map(([name, value]) => `${name}=${value}`));
  return settings.flatMap((setting) => ['-c', setting]);
}

/** The directory of the cluster inside `directory`, created when it is missing. */
async function createCluster(
  programs: PostgresPrograms,
  user: RunAs,
  directory: string,
  temporary: boolean,
): Promise<string> {
  const cluster = join(directory, 'data');
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    checkVersion(programs, cluster);
    return cluster;
  }
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) {
    chmodSync(directory, 0o755);
    chownSync(cluster, user.uid, user.gid);
  }
  const common = ['-D', cluster, '-U', superuser, '-A', 'trust', '--encoding=UTF8', '--locale=C'];
  if (temporary) common.push('--no-sync');
  const options = { ...user, cwd: cluster, env: { ...process.env, ...programs.environment } };
  const initdb = join(programs.directory, 'initdb');
  // Characters are classified as Unicode where the system has that locale; else pg_trgm indexes no accented letters.
  const attempts = [[...common, '--lc-ctype=C.UTF-8'], [...common, '--lc-ctype=en_US.UTF-8'], common];
  let failure = '';
  for (const parameters of attempts) {
    const { code, output } = await run(initdb, parameters, options);
    if (code === 0) return cluster;
    failure ||= output;
  }
  throw new Error(`PostgreSQL could not create its data directory ${cluster}:\n${tail(failure)}`);
}

function checkVersion(programs: PostgresPrograms, cluster: string): void {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (made === String(programs.major)) return;
  throw new Error(
    `${cluster} was created by PostgreSQL ${made}, but PostgreSQL ${programs.major} was found. ` +
      'Remove the data directory to start over, or install that version.',
  );
}

/** The postmaster writes its state into the eighth line of its pid file, which is what pg_ctl waits for too. */
function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
