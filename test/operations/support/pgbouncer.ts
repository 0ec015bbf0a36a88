import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import {
  createServiceDatabases,
  directoryFor,
  fetchDistributionPackage,
  freePort,
  guardDirectory,
  isExecutable,
  postgresUser,
  run,
  ServerProcess,
  type ServiceName,
  startPostgres,
} from '@app/local-stack';
import { runSql, type ServerLayout } from '@app/testing';

interface PgBouncer {
  readonly port: number;
  /** Whether clients may keep statements prepared, which works from version 1.21 on. */
  readonly keepsPrepared: boolean;
  stop(): Promise<void>;
}

interface PgBouncerProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const readyTimeoutMs = 20_000;

/**
 * PostgreSQL behind PgBouncer as in deploy/pgbouncer; the migrations bypass it, as they would there. Null where there is
 * no PgBouncer.
 */
export async function startPooled(): Promise<ServerLayout | null> {
  const program = await findPgBouncer();
  if (program === null) return null;
  const postgres = await startPostgres();
  const direct = await createServiceDatabases(postgres);
  await runSql(postgres.url(), readFileSync(resolve('deploy/pgbouncer/role-settings.sql'), 'utf8'));
  const pooler = await startPgBouncer(program, resolve('deploy/pgbouncer/pgbouncer.ini'), postgres.port);
  const pooled = (url: string): string => url.replace(`:${postgres.port}/`, `:${pooler.port}/`);
  const variables: Record<ServiceName, Record<string, string>> = {
    gateway: {},
    catalog: { CATALOG_DATABASE_URL: pooled(direct.catalog), CATALOG_DIRECT_URL: direct.catalog },
    billing: {
      BILLING_DATABASE_URL: pooled(direct.billing),
      BILLING_PREPARED_STATEMENTS: String(pooler.keepsPrepared),
    },
  };
  return {
    options: {
      catalogDatabaseUrl: direct.catalog,
      billingDatabaseUrl: direct.billing,
      environmentOf: (service) => Promise.resolve(variables[service]),
    },
    stop: async () => {
      await pooler.stop();
      await postgres.stop();
    },
  };
}

/**
 * PgBouncer with this configuration, except for its address and its users: it accepts every user, without a password.
 * The setting that a version before 1.21 does not know is removed.
 */
async function startPgBouncer(
  program: PgBouncerProgram,
  configuration: string,
  postgresPort: number,
): Promise<PgBouncer> {
  const { path, environment } = program;
  const keepsPrepared = await knowsPreparedStatements(program);
  const user = await postgresUser();
  const directory = mkdtempSync(join(await directoryFor(user, tmpdir()), 'pgbouncer-'));
  guardDirectory(directory);
  const port = await freePort();
  const users = join(directory, 'users.txt');
  writeFileSync(users, '"catalog" ""\n"billing" ""\n');
  const file = join(directory, 'pgbouncer.ini');
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
  };
  const left = [...Object.keys(own), ...(keepsPrepared ? [] : ['max_prepared_statements'])];
  const kept = readFileSync(configuration, 'utf8')
    .replaceAll('host=postgres', `host=127.0.0.1 port=${postgresPort}`)
    .split('\n')
    .filter((line) => !left.includes(line.split('=')[0]?.trim() ?? ''));
  writeFileSync(
    file,
    [...kept, ...Object.entries(own).map(([name, value]) => `${name} = ${value}`), ''].join('\n'),
  );
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const each of [directory, users, file]) chownSync(each, user.uid, user.gid);
    chmodSync(directory, 0o755);
  }
  const server = new ServerProcess({
    name: 'PgBouncer',
    command: path,
    parameters: [file],
    environment,
    user,
    logFile: join(directory, 'pgbouncer.log'),
    stopSignal: 'INT',
  });
  await server.waitUntil(() => accepts(port), readyTimeoutMs);
  return {
    port,
    keepsPrepared,
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function knowsPreparedStatements({ path, environment }: PgBouncerProgram): Promise<boolean> {
  const { output } = await run(path, ['--version'], { env: environment });
  const [, major = 0, minor = 0] = /^PgBouncer (\d+)\.(\d+)/m.exec(output)?.map(Number) ?? [];
  return major > 1 || minor >= 21;
}

/** Installed, else unpacked from the distribution's package; null without either. */
async function findPgBouncer(): Promise<PgBouncerProgram | null> {
  const directories = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
  ];
  const installed = directories.map((directory) => join(directory, 'pgbouncer')).find(isExecutable);
  if (installed) return { path: installed, environment: process.env };
  const unpacked = await fetchDistributionPackage('pgbouncer');
  return unpacked && { path: join(unpacked.root, 'usr/sbin/pgbouncer'), environment: unpacked.environment };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
