import {
  createServiceDatabases,
  databaseNames,
  freePorts,
  inheritedEnvironment,
  type PostgresServer,
  type RedisServer,
  runOrThrow,
  serviceFile,
  type ServiceName,
  ServerProcess,
  serviceNodeOptions,
  startPostgres,
  startRedis,
} from '@app/local-stack';
import { readiness } from '@app/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMs, memoryOf } from '../stack/processes.js';

/** What one start of a service took until `/health/ready` answered 200. */
export interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

interface Replica {
  readonly process: ServerProcess;
  readonly readyMs: number;
}

const patienceMs = 60_000;

/** A built checkout of this project, with a PostgreSQL and a Redis to itself and a running catalog and billing. */
export class Checkout {
  private readonly logDirectory = mkdtempSync(join(tmpdir(), 'bench-startup-'));
  private readonly running: ServerProcess[] = [];

  private constructor(
    private readonly directory: string,
    private readonly nodeOptions: readonly string[],
    private readonly postgres: PostgresServer,
    private readonly redis: RedisServer,
    private readonly environment: Readonly<Record<string, string | undefined>>,
  ) {}

  static async open(directory: string, nodeOptions: readonly string[]): Promise<Checkout> {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const { catalog, billing } = await createServiceDatabases(postgres);
    const environment = inheritedEnvironment(process.env, {
      NODE_ENV: 'production',
      SERVICE_REDIS_URL: redis.url,
      CATALOG_DATABASE_URL: catalog,
      BILLING_DATABASE_URL: billing,
      SITE_URL: 'http://127.0.0.1:3000',
      ADMIN_TOKEN: 'a-token-for-a-benchmark-of-starts',
      INTERNAL_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    });
    const checkout = new Checkout(directory, nodeOptions, postgres, redis, environment);
    try {
      await checkout.prepare();
    } catch (error) {
      await checkout.close();
      throw error;
    }
    return checkout;
  }

  /** Starts one more replica and stops it again. */
  async start(service: ServiceName): Promise<Start> {
    const { process, readyMs } = await this.launch(service);
    const start = { readyMs, cpuMs: cpuMs(process.pid), memoryMb: memoryOf(process.pid).nowMb };
    await process.stop();
    return start;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((process) => process.stop()));
    await Promise.all([this.postgres.stop(), this.redis.stop()]);
    rmSync(this.logDirectory, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    const options = { cwd: this.directory, env: this.environment };
    for (const name of databaseNames) {
      await runOrThrow(process.execPath, [serviceFile(name, 'migrate.js', this.directory)], options);
    }
    for (const service of databaseNames) this.running.push((await this.launch(service)).process);
  }

  private async launch(service: ServiceName): Promise<Replica> {
    const [internal = 0, open = 0, admin = 0] = await freePorts(3);
    const startedAt = performance.now();
    const replica = new ServerProcess({
      name: service,
      command: process.execPath,
      parameters: [
        ...this.nodeOptions,
        ...serviceNodeOptions[service],
        serviceFile(service, 'main.js', this.directory),
      ],
      environment: {
        ...this.environment,
        INTERNAL_PORT: String(internal),
        PORT: String(open),
        ADMIN_PORT: String(admin),
      },
      directory: this.directory,
      logFile: join(this.logDirectory, `${service}.log`),
      stopSignal: 'TERM',
    });
    await replica.waitUntil(() => isReady(`http://127.0.0.1:${internal}`), patienceMs);
    return { process: replica, readyMs: performance.now() - startedAt };
  }
}

async function isReady(internalUrl: string): Promise<boolean> {
  try {
    return (await readiness(internalUrl)).status === 200;
  } catch {
    return false;
  }
}
