import { type ChargeService } from '../../ledger/charges/charge.service.js';
import { openLedger, type Customer, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditService } from './audit.service.js';
import { dropUniqueIndexes } from './unique-entries.fixture.js';

let ledger: LedgerFixture;
let service: ChargeService;
let customer: Customer;
/** A pending charge of 3 credits, from a lot of 10. */
let chargeId: string;

beforeAll(async () => {
  ledger = await openLedger();
  service = ledger.replicas[0];
  // It would refuse a second charge of the same credits, which the audit has to find.
  await dropUniqueIndexes(ledger.query);
});

beforeEach(async () => {
  await ledger.empty();
  customer = await ledger.customer(10);
  await ledger.customer(5);
  ({ id: chargeId } = await customer.charge(service, 3));
});

afterAll(() => ledger.close());

const audit = () => ledger.get(AuditService).audit();

/** Does damage in the customer's account (`$1`) that the schema refuses: triggers and foreign keys do not apply. */
async function damage(sql: string): Promise<void> {
  await ledger.owner.transaction(async (manager) => {
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    await manager.query(sql, [customer.accountId]);
  });
}

const changeLot = (change: string) => damage(`UPDATE lots SET ${change} WHERE account_id = $1`);

it('the audit of a sound ledger counts accounts, lots and entries, whatever state charges are in', async () => {
  await customer.settle(service, chargeId, 'posted');
  const { id: voided } = await customer.charge(service, 2);
  await customer.settle(service, voided, 'voided');
  for (const credits of [100, 0, 1]) await customer.charge(service, credits);
  expect(await audit()).toEqual({ ok: true, accounts: 2, lots: 2, entries: 6, discrepancies: [] });
});

it('a discrepancy says what the audit expected and what it found', async () => {
  await changeLot('remaining = remaining + 1');
  expect((await audit()).discrepancies).toMatchObject([
    { expected: '7 credits by its entries', found: '8 credits' },
  ]);
  await damage(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT account_id, lot_id, type, credits, charge_id, created_at FROM ledger_entries
     WHERE account_id = $1 AND type = 'charge'`,
  );
  await changeLot('remaining = 4');
  expect((await audit()).discrepancies).toMatchObject([
    { expected: 'pending: 3 taken, 0 returned', found: '6 taken, 0 returned, 0 of it expired' },
  ]);
});

it('the audit names a pending charge more than two sweep periods past its time-out, and not earlier', async () => {
  const [charge] = await ledger.query<{ pending_until: Date }>(
    'SELECT pending_until FROM charges WHERE id = $1',
    [chargeId],
  );
  const due = (charge?.pending_until.getTime() ?? 0) + 2 * defaultLedgerOptions.sweepPeriodMs;
  await ledger.factory.setClock(new Date(due));
  expect(await audit()).toMatchObject({ ok: true, discrepancies: [] });
  await ledger.factory.setClock(new Date(due + 1));
  const { accountId: account_id } = customer;
  const overdue = { kind: 'charge_overdue', account_id, lot_id: null, charge_id: chargeId };
  expect(await audit()).toMatchObject({ ok: false, discrepancies: [overdue] });
});

it('the audit names at most 1,000 discrepancies', async () => {
  await damage(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT $1, gen_random_uuid(), 'purchase', 1, NULL, ledger_now() FROM generate_series(1, 1500)`,
  );
  const { ok, discrepancies } = await audit();
  expect(ok).toBe(false);
  expect(discrepancies).toHaveLength(1_000);
});
