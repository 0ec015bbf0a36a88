import {
  createServiceDatabases,
  type PostgresServer,
  runOrThrow,
  serviceFile,
  type Stack,
  startPostgres,
} from '@app/local-stack';
import { createDeployedDatabases, eventually, makeSecrets } from '@app/testing';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { Consumer, hasFailed } from '../support/consumers.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

const patienceMs = 30_000;
const catalog = new SuiteCatalog();
const creator = catalog.record('one');

let postgres: PostgresServer;
let stack: Stack | undefined;
let secrets: string;

beforeAll(async () => {
  [postgres, secrets] = await Promise.all([startPostgres(), makeSecrets()]);
  const { catalog: catalogDatabaseUrl, billing: billingDatabaseUrl } = await createServiceDatabases(postgres);
  stack = await startOperatedStack({
    catalogDatabaseUrl,
    billingDatabaseUrl,
    // Few, so that each has made its temporary table for imports before.
    environment: { DATABASE_POOL_SIZE: '2' },
  });
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  await postgres?.stop();
  rmSync(secrets, { recursive: true, force: true });
});

it('databases that the services own are handed over while they run, and no call fails', async () => {
  await catalog.importVisible([creator]);
  await importManyTimes('before');
  const account = await createFundedAccount({ credits: 100_000, keys: 5 });
  const consumer = new Consumer(account, creator.slug, false);

  // It gives up rather than keep others waiting, and is run again then.
  const handOver = () => createDeployedDatabases(postgres, secrets);
  await eventually(async () => void (await handOver()), patienceMs);
  const { owner, runtime } = await handOver();
  await importManyTimes('between');
  for (const service of ['catalog', 'billing'] as const) {
    await runOrThrow(process.execPath, [serviceFile(service, 'migrate.js')], {
      env: {
        ...process.env,
        [`${service.toUpperCase()}_DATABASE_URL`]: owner[service],
        RUNTIME_ROLE: service,
      },
    });
  }
  await importManyTimes('after');
  await consumer.stop();

  const { receipts } = consumer;
  expect(receipts.filter(hasFailed)).toEqual([]);
  expect(receipts.length).toBeGreaterThan(10);
  await settledLedgers([account.id], patienceMs);
  expect(await admin.balance(account.id)).toBe(
    100_000 - receipts.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0),
  );
  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
  const client = new Client({ connectionString: runtime.billing });
  await client.connect();
  await expect(client.query('ALTER TABLE ledger_entries DISABLE TRIGGER USER')).rejects.toThrow(
    'must be owner',
  );
  await expect(client.query('DELETE FROM ledger_entries')).rejects.toThrow('permission denied');
  await client.end();
}, 180_000);

/** On every connection of the catalog, most likely. */
async function importManyTimes(when: string): Promise<void> {
  const names = Array.from({ length: 12 }, (_, time) => `${when} ${time}`);
  await Promise.all(names.map((name) => catalog.import([{ ...creator, name }])));
}
