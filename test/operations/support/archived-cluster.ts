import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { directoryFor, freePort, isAlive, postgresClientsPath, postgresUser, run, runOrThrow } from '#dev';
import { makeSecrets, runSql, until } from '#testing';
import { writeProgram } from './stub-program.js';

/**
 * A PostgreSQL like that of Debian, whose configuration is apart from its data, on which the commands of docs/operations/backup.md are run:
 * everything that they read and write is below one directory, and `systemctl` starts and stops this cluster only.
 */
export class ArchivedCluster {
  readonly data: string;

  private constructor(
    private readonly root: string,
    readonly port: number,
    readonly secrets: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.data = join(root, 'data');
  }

  /** Throws when pgBackRest is not installed. */
  static async create(): Promise<ArchivedCluster> {
    const found = await run('pgbackrest', ['version']);
    if (found.code !== 0) {
      throw new Error('pgBackRest is missing (Debian and Ubuntu: apt-get install pgbackrest).');
    }
    const user = await postgresUser();
    const root = mkdtempSync(join(await directoryFor(user, tmpdir()), 'archived-'));
    chmodSync(root, 0o755);
    const [port, secrets] = [await freePort(), await makeSecrets()];
    const cluster = new ArchivedCluster(root, port, secrets, {
      ...process.env,
      PATH: `${join(root, 'programs')}${delimiter}${await postgresClientsPath()}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'postgres',
      PGBACKREST_CONFIG: join(root, 'etc/pgbackrest/pgbackrest.conf'),
      PGBACKREST_CONFIG_INCLUDE_PATH: join(root, 'etc/pgbackrest/conf.d'),
      PGBACKREST_LOCK_PATH: join(root, 'lock'),
      PGBACKREST_LOG_LEVEL_FILE: 'off',
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_SOCKET_PATH: join(root, 'run'),
    });
    await cluster.initialize();
    return cluster;
  }

  private async initialize(): Promise<void> {
    const { root } = this;
    for (const name of ['programs', 'run', 'lock', 'repository', 'etc/postgresql/conf.d']) {
      mkdirSync(join(root, name), { recursive: true });
      // The user of PostgreSQL writes into some of them.
      chmodSync(join(root, name), 0o777);
    }
    const isRoot = process.getuid?.() === 0;
    const asUser = isRoot ? 'setpriv --reuid=postgres --regid=postgres --init-groups ' : '';
    const [configuration, log] = [join(root, 'etc/postgresql/postgresql.conf'), join(root, 'run/log')];
    const control = `${asUser}pg_ctl -D ${this.data} -o "-c config_file=${configuration}" -l ${log} -w -t 600 -m fast`;
    writeProgram(join(root, 'programs/sudo'), ['shift 2', `exec ${asUser}"$@"`]);
    writeProgram(join(root, 'programs/apt-get'), ['exit']);
    writeProgram(join(root, 'programs/systemctl'), [
      'case "$*" in',
      `'stop postgresql') ${control} stop || true ;;`,
      `'start postgresql' | 'restart postgresql') ${control} "$1" ;;`,
      'esac',
    ]);
    mkdirSync(this.data, { mode: 0o700 });
    if (isRoot) await runOrThrow('chown', ['postgres', this.data]);
    await this.shell(
      `sudo -u postgres initdb -D ${this.data} -U postgres -A trust --encoding=UTF8 --locale=C --lc-ctype=C.UTF-8`,
    );
    await this.shell(`sudo -u postgres cp ${this.data}/pg_hba.conf ${root}/run`);
    writeFileSync(
      configuration,
      [
        `data_directory = '${this.data}'`,
        `hba_file = '${root}/run/pg_hba.conf'`,
        `unix_socket_directories = '${root}/run'`,
        `port = ${this.port}`,
        'max_connections = 250',
        `include_dir = 'conf.d'`,
        '',
      ].join('\n'),
    );
    cpSync('deploy', join(root, 'current/deploy'), { recursive: true });
    const own = join(root, 'current/deploy/backup/pgbackrest.conf');
    writeFileSync(own, this.place(readFileSync(own, 'utf8')));
    await this.shell('systemctl start postgresql');
  }

  /** Runs commands of the documentation, as root does; `changes` replace parts of them. */
  shell(commands: string, changes: Readonly<Record<string, string>> = {}): Promise<string> {
    const here = Object.entries(changes).reduce(
      (text, [from, to]) => text.replace(from, to),
      this.place(commands),
    );
    return runOrThrow('bash', ['-euo', 'pipefail', '-c', here], { cwd: this.root, env: this.environment });
  }

  private place(text: string): string {
    const places = {
      '/opt/creator-search': join(this.root, 'current'),
      '/etc/creator-search': this.secrets,
      '/etc/pgbackrest': join(this.root, 'etc/pgbackrest'),
      '/etc/postgresql/17/main': join(this.root, 'etc/postgresql'),
      '/var/lib/postgresql/17/main': this.data,
      '/var/lib/pgbackrest': join(this.root, 'repository'),
    };
    const placed = Object.entries(places).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
    return process.getuid?.() === 0 ? placed : placed.replaceAll(/--(owner|group)=\w+/g, '');
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** An instant after everything that was committed so far, as an operator would write it. */
  async instant(): Promise<string> {
    const [row] = await runSql<{ at: string }>(
      this.url(),
      `SELECT date_trunc('milliseconds', clock_timestamp() + interval '1 millisecond')::text AS at`,
    );
    return row?.at ?? '';
  }

  /** The machine loses its power, and its disk. */
  async destroy(): Promise<void> {
    const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    rmSync(this.data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async remove(): Promise<void> {
    if (existsSync(this.data)) await this.shell('systemctl stop postgresql');
    rmSync(this.root, { recursive: true, force: true });
  }
}
