import fc from 'fast-check';
import { dayMs } from '../durations.js';
import { AuditService } from '../reports/audit/audit.service.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { type LedgerFixture, openLedger } from './ledger.fixture.js';
import { TransactionRunner } from '#platform/database';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { monthStatements, toStep } from '../sweep-statements.js';

let ledger: LedgerFixture;
/** The newest month that was made; tests go on from there. */
let newest: Date;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

beforeEach(async () => {
  await ledger.empty();
  newest = await newestMonth();
});

async function partitions(parent = 'ledger_entries'): Promise<string[]> {
  const rows = await ledger.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [parent],
  );
  return rows.map(({ name }) => name);
}

async function newestMonth(): Promise<Date> {
  const [row] = await ledger.query<{ starts: Date }>(
    `SELECT max(starts) AS starts FROM ledger_months('ledger_entries')`,
  );
  return row?.starts ?? new Date(NaN);
}

/** Moves the clock without the months that a sweep would have made. */
async function setClock(at: Date): Promise<void> {
  await ledger.factory.setClock(new Date());
  await ledger.query('UPDATE test_clock SET at = $1', [at]);
}

/** Makes all that are due, as sweeps do; both tables are tried. */
async function makeAll(replica: ComposedBilling = ledger): Promise<void> {
  for (const statement of monthStatements) {
    const step = toStep(replica.get(TransactionRunner), statement);
    while ((await step.run(1)) > 0);
  }
}

it('months are made three ahead, each once, by replicas at once, and for every instant there is one', async () => {
  const replicas = [ledger, await ledger.anotherReplica()];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 92 * dayMs }), async (later) => {
      const at = new Date(newest.getTime() + later);
      await setClock(at);
      await Promise.all(replicas.map((replica) => makeAll(replica)));
      newest = await newestMonth();
      const ahead =
        (newest.getUTCFullYear() - at.getUTCFullYear()) * 12 + newest.getUTCMonth() - at.getUTCMonth();
      expect(ahead).toBeGreaterThanOrEqual(3);
      for (const instant of [at, new Date(newest.getTime() - 1), newest]) {
        await setClock(instant);
        const customer = await ledger.customer(2);
        const { id } = await customer.charge(ledger.replicas[0], 1);
        expect(await customer.settle(ledger.replicas[0], id, 'posted')).toBe('posted');
      }
    }),
    { numRuns: 5 },
  );
  const charges = await partitions('charges_ended');
  expect(charges.map((name) => name.replace('charges', 'ledger_entries'))).toEqual(await partitions());
}, 60_000);

it('it gives up soon while the table is locked, still makes the month of the other table, and the next run makes the rest', async () => {
  await setClock(newest);
  const before = { charges: await partitions('charges_ended'), entries: await partitions() };
  await ledger.owner.transaction(async (manager) => {
    // What only charges refer to.
    await manager.query('LOCK TABLE api_keys IN ROW EXCLUSIVE MODE');
    await expect(makeAll()).rejects.toThrow('lock timeout');
  });
  expect(await partitions('charges_ended')).toEqual(before.charges);
  expect((await partitions()).length).toBeGreaterThan(before.entries.length);
  await makeAll();
});

it('a charge of a month without a partition is taken, and its month is made though something else has its name', async () => {
  const at = new Date(newest.getTime() + 40 * dayMs);
  const month = at.toISOString().slice(0, 7).replace('-', '_');
  const foreign = ['charges', 'ledger_entries'].map((table) => `${table}_${month}`);
  const withoutMonth = async () =>
    (await ledger.query('SELECT ledger_rows_without_month()::integer AS rows'))[0];
  for (const name of foreign) await ledger.query(`CREATE TABLE ${name} (month text)`);
  await setClock(at);
  const customer = await ledger.customer(10);
  const { id } = await customer.charge(ledger.replicas[0], 3);
  expect(await customer.settle(ledger.replicas[0], id, 'posted')).toBe('posted');
  const { id: pending } = await customer.charge(ledger.replicas[0], 2);
  expect(await withoutMonth()).toEqual({ rows: 4 });
  await makeAll();
  expect(await withoutMonth()).toEqual({ rows: 0 });
  expect((await newestMonth()).getTime()).toBeGreaterThan(at.getTime() + 60 * dayMs);
  expect(await customer.settle(ledger.replicas[0], pending, 'voided')).toBe('voided');
  expect(await customer.charge(ledger.replicas[0], 1)).toMatchObject({
    reply: { outcome: 'charged', credits_remaining: 6 },
  });
  expect(await withoutMonth()).toEqual({ rows: 0 });
  expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  for (const name of foreign) await ledger.query(`DROP TABLE ${name}`);
});

it('a charge of the last millisecond of a month is repeated, voided and audited in the next one', async () => {
  await setClock(new Date(newest.getTime() - 1));
  const customer = await ledger.customer(10);
  const { id } = await customer.charge(ledger.replicas[0], 3);
  const { id: posted } = await customer.charge(ledger.replicas[1], 2);
  await setClock(newest);
  await makeAll();
  expect(await customer.charge(ledger.replicas[1], 3, id)).toMatchObject({
    reply: { outcome: 'charged', credits_remaining: 7 },
  });
  expect(await customer.settle(ledger.replicas[0], id, 'voided')).toBe('voided');
  expect(await customer.settle(ledger.replicas[1], posted, 'posted')).toBe('posted');
  expect(await customer.charge(ledger.replicas[0], 2, posted)).toMatchObject({
    reply: { outcome: 'charged', credits_remaining: 5 },
  });
  expect(await ledger.balance(customer.accountId)).toBe(8);
  expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  const page = await ledger.get(StatementsService).list({ account_id: customer.accountId, limit: 10 });
  expect(page.items.map(({ type, request_id }) => [type, request_id])).toEqual([
    ['reversal', `request of ${id}`],
    ['charge', `request of ${posted}`],
    ['charge', `request of ${id}`],
    ['purchase', null],
  ]);
});
