import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  directoryFor,
  freePorts,
  guardDirectory,
  postgresUser,
  runOrThrow,
  ServerProcess,
  type StackOptions,
} from '@app/local-stack';
import { createDeployedDatabases, eventually, makeSecrets, secret } from '@app/testing';
import { findHaPrograms, type HaPrograms } from './ha-programs.js';
import { type NodePorts, onThisMachine, PatroniNode } from './patroni-node.js';

interface Member {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
}

const nodeCount = 3;
const nodePorts = ['2379', '2380', '8008', '5432'] as const;
const wholeWithinMs = 120_000;
const askedWithinMs = 1_000;

/** PostgreSQL as deploy/postgres-ha sets it up: three nodes, one of them the primary, and HAProxy in front. */
export class PatroniCluster {
  private constructor(
    private readonly programs: HaPrograms,
    private readonly directory: string,
    private readonly secrets: string,
    readonly nodes: readonly PatroniNode[],
    private readonly proxy: ServerProcess,
    private readonly port: number,
  ) {}

  /** Null where the programs are missing. */
  static async start(): Promise<PatroniCluster | null> {
    const programs = await findHaPrograms();
    if (!programs) return null;
    const user = await postgresUser();
    const directory = mkdtempSync(join(await directoryFor(user, tmpdir()), 'patroni-'));
    guardDirectory(directory);
    chmodSync(directory, 0o755);
    if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
    const secrets = await makeSecrets();
    const [port = 0, ...free] = await freePorts(1 + nodeCount * nodePorts.length);
    const ports = Array.from(
      { length: nodeCount },
      () => Object.fromEntries(nodePorts.map((name) => [name, free.pop()])) as NodePorts,
    );
    const passwords = { superuser: secret(secrets, 'postgres_password'), replication: 'of the standbys' };
    const nodes = ports.map(
      (_, index) => new PatroniNode({ programs, user, directory, number: index + 1, ports, passwords }),
    );
    const proxy = startProxy(programs, directory, port, ports);
    const cluster = new PatroniCluster(programs, directory, secrets, nodes, proxy, port);
    for (const node of nodes) node.start();
    try {
      await cluster.whole();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** For a stack whose databases are here, with the roles of a deployment. */
  async stackOptions(): Promise<StackOptions> {
    const databases = await eventually(
      () => createDeployedDatabases({ port: this.port }, this.secrets),
      wholeWithinMs,
    );
    return {
      catalogDatabaseUrl: databases.runtime.catalog,
      billingDatabaseUrl: databases.runtime.billing,
      migrationEnvironment: (name) => ({
        [`${name.toUpperCase()}_DATABASE_URL`]: databases.owner[name],
        RUNTIME_ROLE: name,
      }),
    };
  }

  primary(): Promise<PatroniNode> {
    return this.nodeOf('leader');
  }

  synchronousStandby(): Promise<PatroniNode> {
    return this.nodeOf('sync_standby');
  }

  /** Resolves once another node has the role. */
  replaced(role: Member['role'], node: PatroniNode): Promise<void> {
    return eventually(async () => {
      if ((await this.nodeOf(role)) === node) throw new Error(`${node.name} is still the ${role}`);
    }, wholeWithinMs);
  }

  /** Resolves once every node runs and a standby has every commit: only then is nothing lost with the next primary. */
  whole(): Promise<void> {
    return eventually(async () => {
      const members = await this.members();
      const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
      const isWhole = running.length === nodeCount && members.some(({ role }) => role === 'sync_standby');
      if (!isWhole) throw new Error(`not whole: ${JSON.stringify(members)}`);
    }, wholeWithinMs);
  }

  /** Makes the synchronous standby the primary, as an operator does before work on the node of the primary. */
  async switchOver(): Promise<void> {
    const [node] = this.nodes;
    const command = ['-c', resolve('deploy/postgres-ha/patroni.yml'), 'switchover', '--force'];
    await runOrThrow(this.programs.patronictl, command, { env: node?.environment });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const directory of [this.directory, this.secrets]) {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  private async nodeOf(role: Member['role']): Promise<PatroniNode> {
    const member = (await this.members()).find((one) => one.role === role && one.state !== 'stopped');
    const node = this.nodes.find(({ name }) => name === member?.name);
    if (!node) throw new Error(`no node is ${role}`);
    return node;
  }

  /** As the first node that answers knows them. */
  private members(): Promise<Member[]> {
    const ask = async ({ origin }: PatroniNode): Promise<Member[]> => {
      const answer = await fetch(`${origin}/cluster`, { signal: AbortSignal.timeout(askedWithinMs) });
      return ((await answer.json()) as { members: Member[] }).members;
    };
    return Promise.any(this.nodes.map(ask));
  }
}

/** haproxy.cfg, with the addresses of this machine. */
function startProxy(
  { haproxy, environment }: HaPrograms,
  directory: string,
  port: number,
  ports: readonly NodePorts[],
): ServerProcess {
  const configuration = readFileSync(resolve('deploy/postgres-ha/haproxy.cfg'), 'utf8')
    .replace('127.0.0.1:5432', `127.0.0.1:${port}`)
    .split('\n')
    .map((line) => {
      const node = Number(/10\.0\.0\.(\d)/.exec(line)?.[1]) - 1;
      return onThisMachine(line, ports).replace('port 8008', `port ${ports[node]?.[8008]}`);
    });
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, configuration.join('\n'));
  return new ServerProcess({
    name: 'HAProxy',
    command: haproxy,
    parameters: ['-f', file],
    environment,
    logFile: join(directory, 'haproxy.log'),
    stopSignal: 'TERM',
  });
}
