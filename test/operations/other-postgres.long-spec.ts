import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { startPooled } from './support/pgbouncer.js';

const settledWithinMs = 30_000;
const calls = 200;

it('200 calls of 20 accounts are charged once behind a PgBouncer that is set up as deploy/pgbouncer says', async () => {
  const layout = await startPooled();
  if (layout === null) {
    process.stderr.write('This machine lacks PgBouncer: nothing was tried.\n');
    return;
  }
  try {
    // More connections than PgBouncer has to PostgreSQL, so that each of those serves many.
    const environment = { DATABASE_POOL_SIZE: '40' };
    const stack = await startOperatedStack({ ...layout.options, replicas: { billing: 2 }, environment });
    await expectCharges().finally(() => stack.stop());
  } finally {
    await layout.stop();
  }
}, 180_000);

async function expectCharges(): Promise<void> {
  const catalog = new SuiteCatalog();
  const creator = catalog.record('one');
  await catalog.importVisible([creator]);
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
}
