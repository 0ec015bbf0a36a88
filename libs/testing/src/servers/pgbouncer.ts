import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fetchDistributionPackage } from './fetch-packages.js';
import { guardDirectory } from './guardian.js';
import { freePort } from './ports.js';
import { isExecutable } from './programs.js';
import { ServerProcess } from './server-process.js';
import { directoryFor, postgresUser } from './unprivileged-user.js';

export interface PgBouncer {
  readonly port: number;
  stop(): Promise<void>;
}

const readyTimeoutMs = 20_000;

/** PgBouncer with this configuration, but for where it listens and whom it lets in: every user, without a password. */
export async function startPgBouncer(configuration: string, postgresPort: number): Promise<PgBouncer> {
  const { path, environment } = await findPgBouncer();
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
  const kept = readFileSync(configuration, 'utf8')
    .replaceAll('host=postgres', `host=127.0.0.1 port=${postgresPort}`)
    .split('\n')
    .filter((line) => !Object.keys(own).includes(line.split('=')[0]?.trim() ?? ''));
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
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function findPgBouncer() {
  const directories = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
  ];
  const installed = directories.map((directory) => join(directory, 'pgbouncer')).find(isExecutable);
  if (installed) return { path: installed, environment: process.env };
  const unpacked = await fetchDistributionPackage('pgbouncer');
  if (!unpacked) throw new Error('No PgBouncer was found (Debian and Ubuntu: apt-get install pgbouncer).');
  return { path: join(unpacked.root, 'usr/sbin/pgbouncer'), environment: unpacked.environment };
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
