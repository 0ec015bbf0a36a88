import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServiceDatabases,
  databaseNames,
  freePorts,
  inheritedEnvironment,
  runOrThrow,
  serviceFile,
  type ServiceName,
  ServerProcess,
  serviceNodeOptions,
  startPostgres,
  startRedis,
} from '@app/local-stack';

const readyTimeoutMs = 60_000;

/** A built checkout of this project, with its own PostgreSQL and Redis and a running catalog and billing. */
export class Checkout {
  private readonly logDirectory = mkdtempSync(join(tmpdir(), 'start-up-'));
  private readonly running: { stop(): Promise<unknown> }[] = [];
  private environment: Readonly<Record<string, string | undefined>> = {};

  private constructor(private readonly directory: string) {}

  static async open(directory: string): Promise<Checkout> {
    const checkout = new Checkout(directory);
    try {
      await checkout.prepare();
      return checkout;
    } catch (error) {
      await checkout.close();
      throw error;
    }
  }

  /** Starts one more replica, waits until it is ready and stops it again. */
  async start(service: ServiceName): Promise<void> {
    await (await this.launch(service)).stop();
  }

  async close(): Promise<void> {
    for (const process of this.running.reverse()) await process.stop();
    rmSync(this.logDirectory, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    const postgres = await startPostgres();
    this.running.push(postgres);
    const redis = await startRedis();
    this.running.push(redis);
    const databases = await createServiceDatabases(postgres);
    this.environment = inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: redis.url,
      CATALOG_DATABASE_URL: databases.catalog,
      BILLING_DATABASE_URL: databases.billing,
      SITE_URL: 'http://127.0.0.1:3000',
      ADMIN_TOKEN: 'a-token-for-measuring-start-up-times',
      INTERNAL_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    });
    for (const name of databaseNames) {
      const migration = serviceFile(name, 'migrate.js', this.directory);
      await runOrThrow(process.execPath, [migration], { cwd: this.directory, env: this.environment });
      this.running.push(await this.launch(name));
    }
  }

  private async launch(service: ServiceName): Promise<ServerProcess> {
    const [internal, open, admin] = (await freePorts(3)).map(String);
    const replica = new ServerProcess({
      name: service,
      command: process.execPath,
      parameters: [...serviceNodeOptions[service], serviceFile(service, 'main.js', this.directory)],
      environment: { ...this.environment, INTERNAL_PORT: internal, PORT: open, ADMIN_PORT: admin },
      directory: this.directory,
      logFile: join(this.logDirectory, `${service}.log`),
      stopSignal: 'TERM',
    });
    await replica.waitUntilAnswered(`http://127.0.0.1:${internal}/health/ready`, readyTimeoutMs);
    return replica;
  }
}
