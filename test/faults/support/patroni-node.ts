import { readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RunAs, ServerProcess } from '@app/local-stack';
import { type HaPrograms } from './ha-programs.js';
import { signalTree } from './process-tree.js';

/** The ports of node.env, by which those of this machine are found. */
export type NodePorts = Readonly<Record<'2379' | '2380' | '8008' | '5432', number>>;

export interface NodeOptions {
  readonly programs: HaPrograms;
  /** Runs everything. */
  readonly user: RunAs;
  /** Holds the data of all nodes. */
  readonly directory: string;
  /** From 1 on. */
  readonly number: number;
  /** Of all nodes, in order. */
  readonly ports: readonly NodePorts[];
  readonly passwords: Readonly<Record<'superuser' | 'replication', string>>;
}

/** One machine of deploy/postgres-ha: etcd, Patroni and the PostgreSQL that Patroni runs. */
export class PatroniNode {
  readonly name: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  private servers: ServerProcess[] = [];

  constructor(private readonly options: NodeOptions) {
    this.name = `db${options.number}`;
    this.environment = environmentOf(this.name, options);
  }

  /** Where Patroni answers. */
  get origin(): string {
    return `http://${this.environment.PATRONI_RESTAPI_LISTEN}`;
  }

  start(): void {
    const { etcd, patroni } = this.options.programs;
    this.servers = [
      this.run('etcd', etcd, []),
      this.run('Patroni', patroni, [resolve('deploy/postgres-ha/patroni.yml')]),
    ];
  }

  /** Signals every process of the machine, or of one program: as if it lost its power, hung, or ran again. */
  signal(signal: NodeJS.Signals, only?: 'PostgreSQL' | 'etcd'): void {
    const [etcd, patroni] = this.servers;
    // Patroni first, so that it starts nothing again. PostgreSQL is not its child.
    const pids = { Patroni: patroni?.pid, PostgreSQL: this.postmasterPid(), etcd: etcd?.pid };
    for (const [program, pid] of Object.entries(pids)) {
      if (pid && (only === undefined || only === program)) signalTree(pid, signal);
    }
  }

  /** Every process is killed, and ends. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await Promise.all(this.servers.map(({ exited }) => exited));
  }

  /** Null when none runs: the file of a killed one names a process that may be another one by now. */
  private postmasterPid(): number | null {
    try {
      const data = this.environment.PATRONI_POSTGRESQL_DATA_DIR ?? '';
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      return readlinkSync(`/proc/${pid}/cwd`) === data ? Number(pid) : null;
    } catch {
      return null;
    }
  }

  private run(name: string, command: string, parameters: readonly string[]): ServerProcess {
    const { directory, user } = this.options;
    return new ServerProcess({
      name: `${name} of ${this.name}`,
      command,
      parameters,
      environment: this.environment,
      directory,
      user,
      logFile: join(directory, `${this.name}-${name.toLowerCase()}.log`),
      stopSignal: 'TERM',
    });
  }
}

/** node.env, with what a node has of its own, and the addresses of this machine. */
function environmentOf(name: string, { programs, directory, number, ports, passwords }: NodeOptions) {
  const lines = readFileSync(resolve('deploy/postgres-ha/node.env'), 'utf8').split('\n');
  const given = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [variable = '', value = ''] = line.split(/=(.*)/);
      const own =
        variable.includes('INITIAL_CLUSTER') || variable.includes('HOSTS') ? value : ofNode(value, number);
      return [variable, onThisMachine(own, ports)] as const;
    });
  return {
    ...programs.environment,
    ...Object.fromEntries(given),
    ETCD_DATA_DIR: join(directory, `${name}-etcd`),
    PATRONI_POSTGRESQL_DATA_DIR: join(directory, `${name}-data`),
    PATRONI_POSTGRESQL_BIN_DIR: programs.postgresDirectory,
    PATRONI_POSTGRESQL_PGPASS: join(directory, `${name}-pgpass`),
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
  };
}

function ofNode(value: string, number: number): string {
  return value.replace('10.0.0.1', `10.0.0.${number}`).replace(/^db1$/, `db${number}`);
}

/** Replaces the addresses of the nodes by free ports of this machine. */
export function onThisMachine(text: string, ports: readonly NodePorts[]): string {
  return text.replaceAll(/10\.0\.0\.(\d):(\d+)/g, (_, node: string, port: keyof NodePorts) => {
    return `127.0.0.1:${ports[Number(node) - 1]?.[port]}`;
  });
}
