import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServiceDatabases,
  freePorts,
  inheritedEnvironment,
  isAnswered,
  runOrThrow,
  serviceFile,
  serviceNames,
  ServerProcess,
  serviceNodeOptions,
  startPostgres,
  startRedis,
} from '#dev';

jest.setTimeout(60_000);

describe('the programs in our images', () => {
  /** Outside this checkout, so that nothing else is found. */
  const directory = mkdtempSync(join(tmpdir(), 'images-'));

  beforeAll(async () => {
    for (const service of serviceNames) {
      const copy = ['tools/images/copy-program.mjs', service, join(directory, service)];
      await runOrThrow(process.execPath, copy);
    }
    // Every file that a program may load is looked at, four times: minutes on a busy machine.
  }, 600_000);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('are enough to migrate and to start each service', async () => {
    const [postgres, redis] = [await startPostgres(), await startRedis()];
    const databases = await createServiceDatabases(postgres);
    const running: ServerProcess[] = [];
    for (const service of ['catalog', 'billing', 'gateway', 'website'] as const) {
      const own = join(directory, service);
      const [internal = '', open = '', admin = ''] = (await freePorts(3)).map(String);
      const environment = inheritedEnvironment(process.env, {
        NODE_ENV: 'production',
        SERVICE_REDIS_URL: redis.url,
        CATALOG_DATABASE_URL: databases.catalog,
        BILLING_DATABASE_URL: databases.billing,
        SITE_URL: 'http://127.0.0.1:3000',
        ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
        INTERNAL_HOST: '127.0.0.1',
        LOG_LEVEL: 'warn',
        INTERNAL_PORT: internal,
        PORT: open,
        SITE_PORT: open,
        ADMIN_PORT: admin,
      });
      if (service === 'catalog' || service === 'billing') {
        const migration = serviceFile(service, 'migrate.js', own);
        await runOrThrow(process.execPath, [migration], { cwd: own, env: environment });
      }
      const replica = new ServerProcess({
        name: service,
        command: process.execPath,
        parameters: [...serviceNodeOptions[service], serviceFile(service, 'main.js', own)],
        environment,
        directory: own,
        logFile: join(directory, `${service}.log`),
        stopSignal: 'TERM',
        isReady: () => isAnswered(`http://127.0.0.1:${internal}/health/ready`),
      });
      running.push(replica);
      await replica.waitUntilReady();
    }
    for (const one of [...running, redis, postgres]) await one.stop();
  });
});
