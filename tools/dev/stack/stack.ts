import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDirectory } from '../processes/guardian.js';
import { type Restartable, Supervised, type SupervisionEvents } from '../processes/supervised.js';
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

  private readonly processes: Processes = {
    gateway: [],
    website: [],
    catalog: [],
    billing: [],
    redis: [],
    postgres: [],
  };
  private readonly publicSocket: BoundSocket;
  private readonly adminSocket: BoundSocket;
  private readonly siteSocket: BoundSocket;
  private readonly directory: string;
  private readonly events: SupervisionEvents;
  private redis = '';
  private databases: DatabaseUrls = { catalog: '', billing: '' };

  constructor(private readonly options: StackOptions) {
    this.adminToken = options.adminToken ?? randomBytes(24).toString('base64url');
    this.publicSocket = bindSocket(options.publicPort ?? 0);
    this.adminSocket = bindSocket(options.adminPort ?? 0);
    this.siteSocket = bindSocket(options.sitePort ?? 0);
    this.directory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'stack-'));
    if (options.dataDirectory === undefined) guardDirectory(this.directory);
    this.events = {
      report: (text) => options.onEvent?.(text),
      changed: () => options.onChange?.(),
    };
  }

  get publicUrl(): string {
    return `http://127.0.0.1:${this.publicSocket.port}`;
  }

  get siteUrl(): string {
    return `http://127.0.0.1:${this.siteSocket.port}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.adminSocket.port}`;
  }

  /** Origins of the internal ports, by service and replica. */
  get internalUrls(): StackFile['internal_urls'] {
    const urlsOf = (name: ServiceName): string[] =>
      this.processes[name].map(({ process }) => process.internalUrl);
    return {
      gateway: urlsOf('gateway'),
      website: urlsOf('website'),
      catalog: urlsOf('catalog'),
      billing: urlsOf('billing'),
    };
  }

  get redisUrl(): string {
    return this.redis;
  }

  get databaseUrls(): DatabaseUrls {
    return this.databases;
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
      redis_url: this.redis,
      catalog_database_url: this.databases.catalog,
      billing_database_url: this.databases.billing,
      internal_urls: this.internalUrls,
      pids: this.pids,
    };
  }

  /** Returns a process, for callers that kill it, hold it down or resume it. */
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
    for (const replica of this.processes[service]) {
      await replica.hold('SIGTERM');
      await replica.resume();
      await replica.process.waitUntilReady();
    }
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
    this.publicSocket.close();
    this.adminSocket.close();
    this.siteSocket.close();
    if (this.options.dataDirectory === undefined) rmSync(this.directory, { recursive: true, force: true });
  }

  private async step(name: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    this.options.onStep?.(name, startedAt);
  }

  private supervised<Process extends Restartable>(name: string, process: Process): Supervised<Process> {
    return new Supervised(name, process, this.events);
  }

  private async startServers(): Promise<void> {
    const results = await Promise.allSettled([this.startOwnRedis(), this.startOwnPostgres()]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async startOwnRedis(): Promise<void> {
    this.redis = this.options.redisUrl ?? '';
    if (this.redis !== '') return;
    const directory = join(this.directory, 'redis');
    mkdirSync(directory, { recursive: true });
    const server = await startRedis({ directory, persistent: true });
    this.processes.redis.push(this.supervised('redis 0', server));
    this.redis = server.url;
  }

  private async startOwnPostgres(): Promise<void> {
    const { catalogDatabaseUrl: catalog, billingDatabaseUrl: billing, dataDirectory } = this.options;
    if (catalog !== undefined && billing !== undefined) {
      this.databases = { catalog, billing };
      return;
    }
    const directory = dataDirectory && (await postgresDirectory(dataDirectory));
    const server = await startPostgres({ directory });
    this.processes.postgres.push(this.supervised('postgres 0', server));
    const own = await createServiceDatabases(server);
    this.databases = { catalog: catalog ?? own.catalog, billing: billing ?? own.billing };
  }

  /** Runs the migration jobs. */
  private async migrateNew(): Promise<void> {
    const isNew = await Promise.all(databaseNames.map((name) => isNewDatabase(this.databases[name])));
    const migrations = databaseNames.map((name) =>
      migrateDatabase(name, { ...this.environment(), ...this.options.migrationEnvironment?.(name) }),
    );
    await Promise.all(migrations);
    for (const name of databaseNames.filter((_, index) => isNew[index])) this.options.onNewDatabase?.(name);
  }

  private async startServices(): Promise<void> {
    const counts = serviceNames.map((service) => this.options.replicas?.[service] ?? 1);
    const ports = await freePorts(counts.reduce((sum, count) => sum + count, 0));
    const servers = { redis: this.redis, databases: this.databases };
    const own = await Promise.all(
      serviceNames.map(async (service) => this.options.environmentOf?.(service, servers)),
    );
    const started = serviceNames.flatMap((service, position) =>
      Array.from({ length: counts[position] ?? 0 }, (_, index) => {
        const replica = new ServiceReplica({
          service,
          index,
          internalPort: ports.pop() ?? 0,
          environment: {
            ...this.environment(),
            LISTEN_FDS: String(this.socketsOf(service).length),
            ...own[position],
          },
          logDirectory: this.logDirectory,
          descriptors: this.socketsOf(service),
        });
        return { service, index, replica };
      }),
    );
    try {
      await Promise.all(started.map(({ replica }) => replica.waitUntilReady()));
    } catch (error) {
      await Promise.all(started.map(({ replica }) => replica.stop()));
      throw error;
    }
    for (const { service, index, replica } of started) {
      this.processes[service].push(this.supervised(`${service} ${index}`, replica));
    }
  }

  /** The descriptors that a service inherits: their ports stay bound while it is restarted. */
  private socketsOf(service: ServiceName): number[] {
    if (service === 'gateway') return [this.publicSocket.descriptor, this.adminSocket.descriptor];
    return service === 'website' ? [this.siteSocket.descriptor] : [];
  }

  private environment(): Record<string, string | undefined> {
    return inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: this.redis,
      CATALOG_DATABASE_URL: this.databases.catalog,
      BILLING_DATABASE_URL: this.databases.billing,
      // A shell that names others has a proxy or a tunnel in front.
      SITE_URL: process.env.SITE_URL || this.siteUrl,
      PUBLIC_URL: process.env.PUBLIC_URL || this.publicUrl,
      ADMIN_TOKEN: this.adminToken,
      PORT: String(this.publicSocket.port),
      ADMIN_PORT: String(this.adminSocket.port),
      SITE_PORT: String(this.siteSocket.port),
      INTERNAL_HOST: '127.0.0.1',
      ...memorySettings,
      ...this.options.environment,
    });
  }
}

/** Starts a stack and resolves once every replica is ready. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack(options);
  await stack.start();
  return stack;
}
