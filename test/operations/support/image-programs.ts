import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServiceDatabases,
  freePorts,
  inheritedEnvironment,
  isAnswered,
  type PostgresServer,
  type RedisServer,
  runOrThrow,
  serviceFile,
  type ServiceName,
  ServerProcess,
  serviceNodeOptions,
  startPostgres,
  startRedis,
} from '#dev';

/** Services as their images hold them, each in a directory of its name, on a PostgreSQL and a Redis of their own. */
export class ImagePrograms {
  private readonly logs = mkdtempSync(join(tmpdir(), 'image-logs-'));
  private readonly running: ServerProcess[] = [];
  private servers: { postgres: PostgresServer; redis: RedisServer } | undefined;
  private environment: Readonly<Record<string, string | undefined>> = {};

  constructor(private readonly directory: string) {}

  /** Migrates its database, if it has one, and starts it; resolves when it is ready. */
  async start(service: ServiceName): Promise<void> {
    await this.startServers();
    const own = join(this.directory, service);
    if (service !== 'gateway' && service !== 'website') {
      const migration = serviceFile(service, 'migrate.js', own);
      await runOrThrow(process.execPath, [migration], { cwd: own, env: this.environment });
    }
    const [internal, open, admin] = (await freePorts(3)).map(String);
    const replica = new ServerProcess({
      name: service,
      command: process.execPath,
      parameters: [...serviceNodeOptions[service], serviceFile(service, 'main.js', own)],
      environment: {
        ...this.environment,
        INTERNAL_PORT: internal,
        PORT: open,
        SITE_PORT: open,
        ADMIN_PORT: admin,
      },
      directory: own,
      logFile: join(this.logs, `${service}.log`),
      stopSignal: 'TERM',
      isReady: () => isAnswered(`http://127.0.0.1:${internal}/health/ready`),
    });
    this.running.push(replica);
    await replica.waitUntilReady();
  }

  async stop(): Promise<void> {
    for (const replica of this.running) await replica.stop();
    await this.servers?.redis.stop();
    await this.servers?.postgres.stop();
    rmSync(this.logs, { recursive: true, force: true });
  }

  private async startServers(): Promise<void> {
    if (this.servers) return;
    const [postgres, redis] = [await startPostgres(), await startRedis()];
    this.servers = { postgres, redis };
    const databases = await createServiceDatabases(postgres);
    this.environment = inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: redis.url,
      CATALOG_DATABASE_URL: databases.catalog,
      BILLING_DATABASE_URL: databases.billing,
      SITE_URL: 'http://127.0.0.1:3000',
      ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
      INTERNAL_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    });
  }
}
