import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDirectory } from '../processes/guardian.js';
import { type ServerProcess } from '../processes/server-process.js';
import { Supervised } from '../processes/supervised.js';
import { postgresDirectory } from '../processes/unprivileged-user.js';
import {
  createServiceDatabases,
  databaseNames,
  type DatabaseUrls,
  isNewDatabase,
  migrateDatabase,
} from '../servers/databases.js';
import { bindSocket, type BoundSocket, freePorts } from '../servers/ports.js';
import { startPostgres } from '../servers/postgres.js';
import { startRedis } from '../servers/redis.js';
import { type ServiceName, serviceNames, ServiceReplica } from './service-replica.js';
import {
  inheritedEnvironment,
  type ProcessName,
  type StackFile,
  type StackOptions,
} from './stack-options.js';

/**
 * As in the images: large blocks are returned to the system as soon as they are free, so that replaced parts of an
 * index don't stay in memory.
 */
const memorySettings = { MALLOC_MMAP_THRESHOLD_: '131072' };

type Processes = Record<ServiceName, Supervised<ServiceReplica>[]> &
  Record<'redis' | 'postgres', Supervised[]>;

/**
 * The services with their PostgreSQL and Redis, as processes of this machine. A process that ends is restarted
 * within a second. All of them end with the process that started the stack.
 */
export class Stack {
  readonly adminToken: string;
  readonly publicUrl: string;
  readonly siteUrl: string;
  readonly adminUrl: string;
  /** Known once the stack has started. */
  redisUrl = '';
  databaseUrls: DatabaseUrls = { catalog: '', billing: '' };

  private readonly processes: Processes = {
    gateway: [],
    website: [],
    catalog: [],
    billing: [],
    redis: [],
    postgres: [],
  };
  /** By service: its ports stay bound while it is restarted. */
  private readonly sockets: Readonly<Record<'gateway' | 'website', readonly BoundSocket[]>>;
  private readonly directory: string;

  constructor(private readonly options: StackOptions) {
    this.adminToken = options.adminToken ?? randomBytes(24).toString('base64url');
    const { publicPort = 0, adminPort = 0, sitePort = 0 } = options;
    const [api, admin, site] = [bindSocket(publicPort), bindSocket(adminPort), bindSocket(sitePort)];
    this.sockets = { gateway: [api, admin], website: [site] };
    [this.publicUrl, this.adminUrl, this.siteUrl] = [urlOf(api), urlOf(admin), urlOf(site)];
    this.directory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'stack-'));
    if (options.dataDirectory === undefined) guardDirectory(this.directory);
  }

  /** Origins of the internal ports, by service and replica. */
  get internalUrls(): StackFile['internal_urls'] {
    const urls = serviceNames.map((name) => [
      name,
      this.processes[name].map(({ process }) => process.internalUrl),
    ]);
    return Object.fromEntries(urls) as StackFile['internal_urls'];
  }

  get logDirectory(): string {
    return join(this.directory, 'logs');
  }

  /** The servers' own; empty for an external one. */
  get pids(): StackFile['pids'] {
    const pids = Object.entries(this.processes).map(([name, all]) => [name, all.map(({ pid }) => pid)]);
    return Object.fromEntries(pids) as StackFile['pids'];
  }

  describe(demoKey: string | null): StackFile {
    return {
      public_url: this.publicUrl,
      site_url: this.siteUrl,
      admin_url: this.adminUrl,
      admin_token: this.adminToken,
      demo_key: demoKey,
      redis_url: this.redisUrl,
      catalog_database_url: this.databaseUrls.catalog,
      billing_database_url: this.databaseUrls.billing,
      internal_urls: this.internalUrls,
      pids: this.pids,
    };
  }

  /** Returns a process, for callers that kill or pause it. */
  replica(name: ProcessName, index = 0): Supervised {
    const found = this.processes[name][index];
    if (!found) throw new Error(`There is no ${name} ${index}.`);
    return found;
  }

  /** On a failure, stops everything again and throws. */
  async start(): Promise<void> {
    try {
      rmSync(this.logDirectory, { recursive: true, force: true });
      mkdirSync(this.logDirectory, { recursive: true });
      await this.step('PostgreSQL and Redis started', () => this.startServers());
      await this.step('databases migrated', () => this.migrateNew());
      await this.step('services ready', () => this.startServices());
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Restarts the replicas of one service, one after the other, each once the previous one is ready. */
  async restartService(service: ServiceName): Promise<void> {
    for (const replica of this.processes[service]) await replica.restart();
  }

  /** The doors finish their requests first; the servers stop last. */
  async stop(): Promise<void> {
    for (const names of [
      ['gateway', 'website'],
      ['catalog', 'billing'],
      ['redis', 'postgres'],
    ] as const) {
      await Promise.all(names.flatMap((name) => this.processes[name].map((process) => process.stop())));
    }
    for (const socket of Object.values(this.sockets).flat()) socket.close();
    if (this.options.dataDirectory === undefined) rmSync(this.directory, { recursive: true, force: true });
  }

  private async step(name: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    this.options.onStep?.(name, startedAt);
  }

  private supervised<Process extends ServerProcess>(process: Process): Supervised<Process> {
    return new Supervised(process, this.options);
  }

  private async startServers(): Promise<void> {
    const results = await Promise.allSettled([this.startOwnRedis(), this.startOwnPostgres()]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async startOwnRedis(): Promise<void> {
    this.redisUrl = this.options.redisUrl ?? '';
    if (this.redisUrl !== '') return;
    const directory = join(this.directory, 'redis');
    mkdirSync(directory, { recursive: true });
    const server = await startRedis({ directory, persistent: true });
    this.processes.redis.push(this.supervised(server));
    this.redisUrl = server.url;
  }

  private async startOwnPostgres(): Promise<void> {
    const { catalogDatabaseUrl: catalog, billingDatabaseUrl: billing, dataDirectory } = this.options;
    if (catalog !== undefined && billing !== undefined) {
      this.databaseUrls = { catalog, billing };
      return;
    }
    const directory = dataDirectory && (await postgresDirectory(dataDirectory));
    const server = await startPostgres({ directory });
    this.processes.postgres.push(this.supervised(server));
    const own = await createServiceDatabases(server);
    this.databaseUrls = { catalog: catalog ?? own.catalog, billing: billing ?? own.billing };
  }

  /** Runs the migration jobs. */
  private async migrateNew(): Promise<void> {
    const isNew = await Promise.all(databaseNames.map((name) => isNewDatabase(this.databaseUrls[name])));
    const migrations = databaseNames.map((name) =>
      migrateDatabase(name, { ...this.environment(), ...this.options.migrationEnvironment?.(name) }),
    );
    await Promise.all(migrations);
    for (const name of databaseNames.filter((_, index) => isNew[index])) this.options.onNewDatabase?.(name);
  }

  private async startServices(): Promise<void> {
    const { replicas: counts = {}, environmentOf } = this.options;
    const wanted = serviceNames.flatMap((service) =>
      Array.from({ length: counts[service] ?? 1 }, (_, index) => ({ service, index })),
    );
    const ports = await freePorts(wanted.length);
    const servers = { redis: this.redisUrl, databases: this.databaseUrls };
    const own = new Map(
      await Promise.all(
        serviceNames.map(async (service) => [service, await environmentOf?.(service, servers)] as const),
      ),
    );
    const started = wanted.map(({ service, index }, position) => {
      const descriptors = this.descriptorsOf(service);
      const inherited = { ...this.environment(), LISTEN_FDS: String(descriptors.length) };
      const environment = { ...inherited, ...own.get(service) };
      const [internalPort = 0, logDirectory] = [ports[position], this.logDirectory];
      return new ServiceReplica({ service, index, internalPort, environment, logDirectory, descriptors });
    });
    try {
      await Promise.all(started.map((replica) => replica.waitUntilReady()));
    } catch (error) {
      await Promise.all(started.map((replica) => replica.stop()));
      throw error;
    }
    for (const replica of started) this.processes[replica.service].push(this.supervised(replica));
  }

  /** Of the sockets that a service inherits. */
  private descriptorsOf(service: ServiceName): number[] {
    const sockets = service === 'gateway' || service === 'website' ? this.sockets[service] : [];
    return sockets.map(({ descriptor }) => descriptor);
  }

  private environment(): Record<string, string | undefined> {
    return inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: this.redisUrl,
      CATALOG_DATABASE_URL: this.databaseUrls.catalog,
      BILLING_DATABASE_URL: this.databaseUrls.billing,
      // A shell that names others has a proxy or a tunnel in front.
      SITE_URL: process.env.SITE_URL || this.siteUrl,
      PUBLIC_URL: process.env.PUBLIC_URL || this.publicUrl,
      ADMIN_TOKEN: this.adminToken,
      PORT: new URL(this.publicUrl).port,
      ADMIN_PORT: new URL(this.adminUrl).port,
      SITE_PORT: new URL(this.siteUrl).port,
      INTERNAL_HOST: '127.0.0.1',
      ...memorySettings,
      ...this.options.environment,
    });
  }
}

function urlOf({ port }: BoundSocket): string {
  return `http://127.0.0.1:${port}`;
}

/** Starts a stack and resolves once every replica is ready. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack(options);
  await stack.start();
  return stack;
}
