import { type Stack } from '@app/local-stack';
import { findPgBouncer, serverLayouts } from '@app/testing';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

const settledWithinMs = 30_000;
const calls = 200;

let layout: Awaited<ReturnType<NonNullable<(typeof serverLayouts)['pgbouncer']>>> | undefined;
let stack: Stack | undefined;

beforeAll(async () => {
  if ((await findPgBouncer()) === null) return;
  layout = await serverLayouts.pgbouncer?.();
  // More connections to PgBouncer than it has to PostgreSQL, so that each of those serves many.
  stack = await startOperatedStack({
    ...layout?.options,
    replicas: { billing: 2 },
    environment: { DATABASE_POOL_SIZE: '40' },
  });
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  await layout?.stop();
});

it('charges pass a PgBouncer that is set up as deploy/pgbouncer says', async () => {
  if (!stack) {
    process.stderr.write('There is no PgBouncer here, so nothing was tried.\n');
    return;
  }
  const catalog = new SuiteCatalog();
  const creator = catalog.record('one');
  await catalog.importVisible([creator], new KeyPool());
  const accounts = await Promise.all(Array.from({ length: 20 }, () => createFundedAccount({ credits: 100 })));
  const statuses = await Promise.all(
    Array.from({ length: calls }, async (_, call) => {
      const account = accounts[call % accounts.length];
      return (await api.profile(creator.slug, account?.key ?? '')).status;
    }),
  );
  expect(statuses).toEqual(Array.from({ length: calls }, () => 200));
  await settledLedgers(
    accounts.map(({ id }) => id),
    settledWithinMs,
  );
  expect(await admin.audit()).toMatchObject({ ok: true, discrepancies: [] });
}, 120_000);
