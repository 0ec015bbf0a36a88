import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  directoryFor,
  fetchDistributionPackage,
  freePort,
  guardDirectory,
  isExecutable,
  postgresUser,
  run,
  ServerProcess,
} from '@app/local-stack';

export interface PgBouncer {
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
 * PgBouncer with this configuration, except for its address and its users: it accepts every user, without a password.
 * The setting that a version before 1.21 does not know is removed.
 */
export async function startPgBouncer(configuration: string, postgresPort: number): Promise<PgBouncer> {
  const found = await findPgBouncer();
  if (!found) throw new Error('No PgBouncer was found (Debian and Ubuntu: apt-get install pgbouncer).');
  const { path, environment } = found;
  const keepsPrepared = await knowsPreparedStatements(found);
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
export async function findPgBouncer(): Promise<PgBouncerProgram | null> {
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
