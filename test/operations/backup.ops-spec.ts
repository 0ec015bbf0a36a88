import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  createServiceDatabases,
  type DatabaseUrls,
  postgresClientsPath,
  type PostgresServer,
  runOrThrow,
  type Stack,
  startPostgres,
} from '@app/testing';
import { Client } from 'pg';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

const settledWithinMs = 30_000;
const catalog = new SuiteCatalog();
const [kept, deleted] = [catalog.record('kept'), catalog.record('deleted')];

let directory: string;
let postgres: PostgresServer;
let urls: DatabaseUrls;
let stack: Stack | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'backup-'));
  postgres = await startPostgres();
  urls = await createServiceDatabases(postgres);
  stack = await startStack();
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('what a backup holds is all there after both databases were lost, and the audit is clean', async () => {
  await catalog.importVisible([kept, deleted], new KeyPool());
  const account = await createFundedAccount({ credits: 100, keys: 1 });
  for (let call = 0; call < 5; call++) await profile(kept.slug, account);
  const entries = await settledLedgers([account.id], settledWithinMs);
  const before = await admin.balance(account.id);

  await runScript('backup.sh');
  await profile(deleted.slug, account);
  await admin.call('DELETE', `/creators/${deleted.slug}`);
  await stack?.stop();
  await dropDatabases();
  await createServiceDatabases(postgres);
  await runScript('restore.sh');
  stack = await startStack();

  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
  expect(await settledLedgers([account.id], settledWithinMs)).toEqual(entries);
  expect(await admin.balance(account.id)).toBe(before);
  // The copies of the index on disk still lack the creator that was deleted after the backup.
  expect((await profile(deleted.slug, account)).credits_remaining).toBe(before - 1);
  const found = await api.search({ country: catalog.country }, account.key);
  expect(found.body.total).toBe(2);
}, 180_000);

function startStack(): Promise<Stack> {
  return startOperatedStack({
    catalogDatabaseUrl: urls.catalog,
    billingDatabaseUrl: urls.billing,
    dataDirectory: join(directory, 'stack'),
  });
}

async function runScript(name: string): Promise<void> {
  await runOrThrow(resolve('deploy/backup', name), [join(directory, 'dumps')], {
    env: {
      ...process.env,
      PATH: await postgresClientsPath(),
      CATALOG_DATABASE_URL: urls.catalog,
      BILLING_DATABASE_URL: urls.billing,
    },
  });
}

async function dropDatabases(): Promise<void> {
  const client = new Client({ connectionString: postgres.url() });
  await client.connect();
  for (const name of ['catalog', 'billing']) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.end();
}

async function profile(slug: string, { key }: TestAccount) {
  const { status, body } = await api.profile(slug, key);
  expect(status).toBe(200);
  return body;
}
