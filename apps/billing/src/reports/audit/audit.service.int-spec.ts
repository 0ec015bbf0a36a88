import { randomUUID } from 'node:crypto';
import { type ChargeService } from '../../ledger/charges/charge.service.js';
import { openLedger, type Customer, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditService } from './audit.service.js';

const dayMs = 24 * 60 * 60_000;

let ledger: LedgerFixture;
let service: ChargeService;
let customer: Customer;
/** A pending charge of 3 credits, from a lot of 10. */
let chargeId: string;
let lotId: string;

beforeEach(async () => {
  ledger = await openLedger();
  service = ledger.replicas[0];
  customer = await ledger.customer(10);
  await ledger.customer(5);
  ({ id: chargeId } = await customer.charge(service, 3));
  const lots = await ledger.query<{ id: string }>('SELECT id FROM lots WHERE account_id = $1', [
    customer.accountId,
  ]);
  lotId = lots[0]?.id ?? '';
});

afterEach(() => ledger.close());

const audit = () => ledger.get(AuditService).audit();

/** Does damage that the schema refuses: triggers and foreign keys are switched off, and an index, where one is named. */
async function damage(sql: string, parameters: unknown[], dropFirst?: string): Promise<void> {
  await ledger.owner.transaction(async (manager) => {
    if (dropFirst) await manager.query(`DROP INDEX ${dropFirst}`);
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    await manager.query(sql, parameters);
  });
}

const damageLot = (change: string) => damage(`UPDATE lots SET ${change} WHERE id = $1`, [lotId]);
const damageCharge = (change: string) => damage(`UPDATE charges SET ${change} WHERE id = $1`, [chargeId]);
const deleteEntriesOfCharge = () => damage('DELETE FROM ledger_entries WHERE charge_id = $1', [chargeId]);
const voidedNow = "state = 'voided', void_reason = 'given_up', settled_at = ledger_now()";

function insertEntry(
  type: string,
  credits: number,
  charge: string | null,
  dropFirst?: string,
): Promise<void> {
  return damage(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
     VALUES ($1, $2, $3, $4, $5, NULL, ledger_now())`,
    [customer.accountId, lotId, type, credits, charge],
    dropFirst,
  );
}

/** The kinds of the discrepancies, and whether each names the lot and the charge. */
async function findings(): Promise<string[]> {
  const { ok, discrepancies } = await audit();
  expect(ok).toBe(discrepancies.length === 0);
  for (const discrepancy of discrepancies) expect(discrepancy.account_id).toBe(customer.accountId);
  return discrepancies.map(({ kind, lot_id, charge_id }) => {
    return kind + (lot_id === lotId ? ', lot' : '') + (charge_id === chargeId ? ', charge' : '');
  });
}

it('the audit of a sound ledger counts accounts, lots and entries, whatever state charges are in', async () => {
  await customer.settle(service, chargeId, 'posted');
  const { id: voided } = await customer.charge(service, 2);
  await customer.settle(service, voided, 'voided');
  for (const credits of [100, 0, 1]) await customer.charge(service, credits);
  expect(await audit()).toEqual({ ok: true, accounts: 2, lots: 2, entries: 6, discrepancies: [] });
});

describe('the audit names', () => {
  it.each<[what: string, plant: () => Promise<unknown>, found: string[]]>([
    ['a lost entry', deleteEntriesOfCharge, ['lot_remaining_differs, lot', 'charge_entries_differ, charge']],
    [
      'a lost entry whose lot was changed to match',
      () => deleteEntriesOfCharge().then(() => damageLot('remaining = 10')),
      ['charge_entries_differ, charge'],
    ],
    ['a lot that was changed', () => damageLot('remaining = remaining + 1'), ['lot_remaining_differs, lot']],
    ['a lot whose size was changed', () => damageLot('credits = 11'), ['lot_without_opening_entry, lot']],
    [
      'a lot without the entry that opened it',
      () => damage("DELETE FROM ledger_entries WHERE type = 'purchase' AND lot_id = $1", [lotId]),
      ['lot_remaining_differs, lot', 'lot_without_opening_entry, lot', 'balance_negative, lot'],
    ],
    [
      'a doubled charge',
      async () => {
        await insertEntry('charge', -3, chargeId, 'ledger_entries_once_per_charge');
        await damageLot('remaining = 4');
      },
      ['charge_entries_differ, charge'],
    ],
    [
      'a posted charge that was given back',
      async () => {
        await customer.settle(service, chargeId, 'voided');
        await damageCharge("void_reason = NULL, state = 'posted', settled_at = ledger_now()");
      },
      ['charge_entries_differ, charge'],
    ],
    [
      'a refused charge that took credits',
      () => damageCharge("state = 'refused', refusal = 'key_revoked', settled_at = ledger_now()"),
      ['charge_entries_differ, charge'],
    ],
    [
      'a charge of other credits than it took',
      () => damageCharge('credits = 4'),
      ['charge_entries_differ, charge'],
    ],
    [
      'a voided charge that was not given back',
      () => damageCharge(voidedNow),
      ['charge_entries_differ, charge'],
    ],
    [
      'a missing charge',
      () => damage('DELETE FROM charges WHERE id = $1', [chargeId]),
      ['charge_entries_differ, charge'],
    ],
    [
      'an entry without a lot',
      () => damage('DELETE FROM lots WHERE id = $1', [lotId]),
      ['entry_without_lot, lot', 'entry_without_lot, lot, charge'],
    ],
    [
      'a negative balance, even one that was corrected later',
      async () => {
        await insertEntry('expiry', -20, null);
        await insertEntry('purchase', 20, null, 'ledger_entries_one_purchase');
      },
      ['lot_without_opening_entry, lot', 'balance_negative, lot', 'expiry_too_early, lot'],
    ],
    [
      'an adjustment whose entries do not add up',
      () =>
        damage(
          `INSERT INTO adjustments (id, account_id, credits, reason, reference, credits_remaining, created_at)
           VALUES ($1, $2, -2, 'test', 'test', 5, ledger_now())`,
          [randomUUID(), customer.accountId],
        ),
      ['adjustment_entries_differ'],
    ],
    [
      'an entry that takes from an expired lot',
      () =>
        damageLot(
          "purchased_at = purchased_at - interval '31 days', expires_at = expires_at - interval '31 days'",
        ),
      ['entry_after_expiry, lot, charge'],
    ],
    [
      'credits that came back to a lot that had expired',
      async () => {
        await ledger.factory.setClock(new Date(Date.now() + 31 * dayMs));
        await insertEntry('reversal', 3, chargeId);
        await damageCharge(voidedNow.replace('ledger_now()', 'now()'));
        await damageLot('remaining = 10');
      },
      ['entry_after_expiry, lot, charge'],
    ],
  ])('%s', async (_what, plant, found) => {
    await plant();
    expect(await findings()).toEqual(found);
  });

  it('what it expected and what it found', async () => {
    await damageLot('remaining = remaining + 1');
    expect((await audit()).discrepancies).toMatchObject([
      { expected: '7 credits by its entries', found: '8 credits' },
    ]);
    await damageLot('remaining = remaining - 1');
    await insertEntry('charge', -3, chargeId, 'ledger_entries_once_per_charge');
    await damageLot('remaining = 4');
    expect((await audit()).discrepancies).toMatchObject([
      { expected: 'pending: 3 taken, 0 returned', found: '6 taken, 0 returned, 0 of it expired' },
    ]);
  });

  it('credits that were returned to another lot', async () => {
    const other = await ledger.factory.lot({ accountId: customer.accountId, credits: 10 });
    await customer.settle(service, chargeId, 'voided');
    await damage("UPDATE ledger_entries SET lot_id = $2 WHERE charge_id = $1 AND type = 'reversal'", [
      chargeId,
      other,
    ]);
    const { discrepancies } = await audit();
    expect(discrepancies.map(({ kind }) => kind)).toEqual([
      'lot_remaining_differs',
      'lot_remaining_differs',
      'charge_entries_differ',
    ]);
  });

  it('an entry that was moved to another account', async () => {
    const stranger = await ledger.factory.account();
    await damage('UPDATE ledger_entries SET account_id = $2 WHERE charge_id = $1', [chargeId, stranger]);
    const { discrepancies } = await audit();
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['charge_entries_differ', 'entry_without_lot']);
  });

  it('a pending charge more than two sweep periods past its time-out, and not earlier', async () => {
    const [charge] = await ledger.query<{ pending_until: Date }>(
      'SELECT pending_until FROM charges WHERE id = $1',
      [chargeId],
    );
    const due = (charge?.pending_until.getTime() ?? 0) + 2 * defaultLedgerOptions.sweepPeriodMs;
    await ledger.factory.setClock(new Date(due));
    expect(await findings()).toEqual([]);
    await ledger.factory.setClock(new Date(due + 1));
    expect(await findings()).toEqual(['charge_overdue, charge']);
  });

  it('at most 1,000 discrepancies', async () => {
    await damage(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
       SELECT $1, gen_random_uuid(), 'purchase', 1, NULL, ledger_now() FROM generate_series(1, 1500)`,
      [customer.accountId],
    );
    const { ok, discrepancies } = await audit();
    expect(ok).toBe(false);
    expect(discrepancies).toHaveLength(1_000);
  });
});
