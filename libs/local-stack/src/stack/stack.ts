import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDirectory } from '../processes/guardian.js';
import { startPostgres } from '../servers/postgres.js';
import { startRedis } from '../servers/redis.js';
import { postgresDirectory } from '../processes/unprivileged-user.js';
import { bindSocket, type BoundSocket, freePorts } from '../ports.js';
import { type ServiceName, serviceNames, ServiceReplica } from './service-replica.js';
import {
  createServiceDatabases,
  databaseNames,
  type DatabaseUrls,
  isNewDatabase,
  migrateDatabase,
} from './stack-databases.js';
import { type StackFile } from './stack-file.js';
import { inheritedEnvironment, type StackOptions } from './stack-options.js';
import { type Restartable, Supervised, type SupervisionEvents } from '../processes/supervised.js';

export type ProcessName = ServiceName | 'redis' | 'postgres';

/**
 * The three services with their PostgreSQL and Redis, as processes of this machine. A process that ends is restarted
 * within a second. All of them end with the process that started the stack.
 */
export class Stack {
  readonly adminToken: string;

  private readonly processes: Record<ProcessName, Supervised[]> = {
    gateway: [],
    catalog: [],
    billing: [],
    redis: [],
    postgres: [],
  };
  private readonly publicSocket: BoundSocket;
  private readonly adminSocket: BoundSocket;
  private readonly directory: string;
  private readonly events: SupervisionEvents;
  private readonly services: Record<ServiceName, ServiceReplica[]> = {
    gateway: [],
    catalog: [],
    billing: [],
  };
  private readonly internal: Record<ServiceName, string[]> = { gateway: [], catalog: [], billing: [] };
  private redis = '';
  private databases: DatabaseUrls = { catalog: '', billing: '' };

  constructor(private readonly options: StackOptions) {
    this.adminToken = options.adminToken ?? randomBytes(24).toString('base64url');
    this.publicSocket = bindSocket(options.publicPort ?? 0);
    this.adminSocket = bindSocket(options.adminPort ?? 0);
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

  get adminUrl(): string {
    return `http://127.0.0.1:${this.adminSocket.port}`;
  }

  /** Origins of the internal ports, by service and replica. */
  get internalUrls(): Readonly<Record<ServiceName, readonly string[]>> {
    return this.internal;
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
    const of = (name: ProcessName): number[] => this.processes[name].map(({ pid }) => pid);
    return {
      gateway: of('gateway'),
      catalog: of('catalog'),
      billing: of('billing'),
      redis: of('redis'),
      postgres: of('postgres'),
    };
  }

  describe(demoKey: string | null): StackFile {
    return {
      public_url: this.publicUrl,
      admin_url: this.adminUrl,
      admin_token: this.adminToken,
      demo_key: demoKey,
      redis_url: this.redisUrl,
      catalog_database_url: this.databases.catalog,
      billing_database_url: this.databases.billing,
      internal_urls: this.internalUrls,
      pids: this.pids,
    };
  }

  /** One process, for callers that kill it, hold it down or resume it. */
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

  /**
   * Restarts the replicas of one service, one after the other, each once the previous one is ready. With `checkout`, they
   * are then what was built there.
   */
  async restartService(service: ServiceName, checkout?: string): Promise<void> {
    for (const [index, supervised] of this.processes[service].entries()) {
      const replica = this.services[service][index];
      await supervised.hold('SIGTERM');
      if (checkout !== undefined) replica?.runFrom(checkout);
      await supervised.resume();
      await replica?.waitUntilReady();
    }
  }

  /** Runs the migration jobs that were built in a checkout; default: those of the stack. */
  async migrate(checkout = this.options.checkout): Promise<void> {
    const environment = this.environment();
    const migrations = databaseNames.map((name) => {
      const variables = { ...environment, ...this.options.migrationEnvironment?.(name) };
      return migrateDatabase(name, variables, checkout);
    });
    await Promise.all(migrations);
  }

  /** The gateways finish their requests first; the servers stop last. */
  async stop(): Promise<void> {
    for (const names of [['gateway'], ['catalog', 'billing'], ['redis', 'postgres']] as const) {
      await Promise.all(names.flatMap((name) => this.processes[name].map((process) => process.stop())));
    }
    this.publicSocket.close();
    this.adminSocket.close();
    if (this.options.dataDirectory === undefined) rmSync(this.directory, { recursive: true, force: true });
  }

  private async step(name: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    this.options.onStep?.(name, performance.now() - startedAt);
  }

  private supervise(name: ProcessName, process: Restartable): void {
    const index = this.processes[name].length;
    this.processes[name].push(new Supervised(`${name} ${index}`, process, this.events));
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
    this.supervise('redis', server);
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
    this.supervise('postgres', server);
    const own = await createServiceDatabases(server);
    this.databases = { catalog: catalog ?? own.catalog, billing: billing ?? own.billing };
  }

  private async migrateNew(): Promise<void> {
    const isNew = await Promise.all(databaseNames.map((name) => isNewDatabase(this.databases[name])));
    await this.migrate();
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
        const internalPort = ports.pop() ?? 0;
        this.internal[service].push(`http://127.0.0.1:${internalPort}`);
        const replica = new ServiceReplica({
          service,
          index,
          internalPort,
          checkout: this.options.checkout,
          environment: { ...this.environment(), ...this.ownDirectory(service, index), ...own[position] },
          logDirectory: this.logDirectory,
          ...(service === 'gateway' ? { descriptors: this.descriptors } : {}),
        });
        return { service, replica };
      }),
    );
    try {
      await Promise.all(started.map(({ replica }) => replica.waitUntilReady()));
    } catch (error) {
      await Promise.all(started.map(({ replica }) => replica.stop()));
      throw error;
    }
    for (const { service, replica } of started) {
      this.supervise(service, replica);
      this.services[service].push(replica);
    }
  }

  /** The index of a catalog survives its process, as it would on a volume. */
  private ownDirectory(service: ServiceName, index: number): Record<string, string> {
    return service === 'catalog' ? { INDEX_DIRECTORY: join(this.directory, `catalog-${index}`) } : {};
  }

  private get descriptors(): number[] {
    return [this.publicSocket.descriptor, this.adminSocket.descriptor];
  }

  private environment(): Record<string, string | undefined> {
    return inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: this.redis,
      CATALOG_DATABASE_URL: this.databases.catalog,
      BILLING_DATABASE_URL: this.databases.billing,
      SITE_URL: this.publicUrl,
      // A shell that names another one has a proxy or a tunnel in front.
      PUBLIC_URL: process.env.PUBLIC_URL || this.publicUrl,
      ADMIN_TOKEN: this.adminToken,
      PORT: String(this.publicSocket.port),
      ADMIN_PORT: String(this.adminSocket.port),
      LISTEN_FDS: '2',
      LISTEN_FDNAMES: 'public:admin',
      INTERNAL_HOST: '127.0.0.1',
      ...memorySettings,
      ...this.options.environment,
    });
  }
}

/**
 * As in the images: large blocks are returned to the system as soon as they are free, so that replaced parts of an
 * index don't stay in memory.
 */
const memorySettings = { MALLOC_MMAP_THRESHOLD_: '131072' };

/** Starts a stack and resolves once every replica is ready. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack(options);
  await stack.start();
  return stack;
}
