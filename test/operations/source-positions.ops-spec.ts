import {
  createServiceDatabases,
  type PostgresServer,
  run,
  serviceFile,
  startPostgres,
  withClient,
} from '@app/local-stack';
import { readFileSync } from 'node:fs';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

it('the stack of a failure names files and lines of the sources, where they say what failed', async () => {
  const { billing } = await createServiceDatabases(postgres);
  await withClient(billing, (client) => client.query('CREATE TABLE accounts (id int)'));
  const { code, output } = await run(process.execPath, [serviceFile('billing', 'migrate.js')], {
    env: { ...process.env, BILLING_DATABASE_URL: billing },
  });

  expect(code).toBe(1);
  expect(output).toContain('QueryFailedError: relation "accounts" already exists\n    at ');
  const positions = [...output.matchAll(/^ {4}at .*?([^ (]*\/(?:apps|libs)\/[^ )]+):(\d+):\d+\)?$/gm)];
  expect(positions.length).toBeGreaterThan(1);
  for (const [, file = ''] of positions) expect(file).toMatch(/\.ts$/);
  const [, file = '', line] = positions.at(-1) ?? [];
  expect(file).toMatch(/apps\/billing\/src\/migrate\.ts$/);
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('runMigrations(');
}, 60_000);
