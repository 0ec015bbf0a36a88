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
  serviceNodeOptions,
  startPostgres,
  startRedis,
} from '@app/local-stack';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, memoryOf } from '../stack/processes.js';

/** What one start of a service took until `/health/ready` answered 200. */
export interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

interface Process {
  readonly pid: number;
  readonly readyMs: number;
  stop(): Promise<void>;
}

const pollMs = 3;
const patienceMs = 60_000;

/** A built checkout of this project, with a PostgreSQL and a Redis to itself and a running catalog and billing. */
export class Checkout {
  private readonly running: Process[] = [];

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
    const replica = await this.launch(service);
    const start = {
      readyMs: replica.readyMs,
      cpuMs: cpuMs(replica.pid),
      memoryMb: memoryOf(replica.pid).nowMb,
    };
    await replica.stop();
    return start;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((replica) => replica.stop()));
    await Promise.all([this.postgres.stop(), this.redis.stop()]);
  }

  private async prepare(): Promise<void> {
    const options = { cwd: this.directory, env: this.environment };
    for (const name of databaseNames) {
      await runOrThrow(process.execPath, [serviceFile(name, 'migrate.js', this.directory)], options);
    }
    for (const service of databaseNames) this.running.push(await this.launch(service));
  }

  private async launch(service: ServiceName): Promise<Process> {
    const [internal = 0, open = 0, admin = 0] = await freePorts(3);
    const file = serviceFile(service, 'main.js', this.directory);
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...this.nodeOptions, ...serviceNodeOptions[service], file], {
      cwd: this.directory,
      env: {
        ...this.environment,
        INTERNAL_PORT: String(internal),
        PORT: String(open),
        ADMIN_PORT: String(admin),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(child, 'exit');
    while (!(await isReady(internal))) {
      if (child.exitCode !== null || performance.now() - startedAt > patienceMs) {
        child.kill('SIGKILL');
        throw new Error(`${file} did not become ready`);
      }
      await delay(pollMs);
    }
    const readyMs = performance.now() - startedAt;
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
    };
    return { pid: child.pid ?? 0, readyMs, stop };
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
