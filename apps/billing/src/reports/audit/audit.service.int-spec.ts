import { randomUUID } from 'node:crypto';
import { type DiscrepancyKind } from '@app/contracts';
import { type ChargeService } from '../../ledger/charges/charge.service.js';
import { openLedger, type Customer, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditService } from './audit.service.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let ledger: LedgerFixture;
let service: ChargeService;
let customer: Customer;
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

function audit() {
  return ledger.get(AuditService).audit();
}

/** Does damage that the schema refuses: triggers, foreign keys and, where named, a constraint or index are switched off. */
async function damage(sql: string, parameters: unknown[], dropFirst?: string): Promise<void> {
  await ledger.owner.transaction(async (manager) => {
    if (dropFirst) await manager.query(dropFirst);
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    await manager.query(sql, parameters);
  });
}

async function findings(): Promise<{ kind: DiscrepancyKind; lot: boolean; charge: boolean }[]> {
  const { ok, discrepancies } = await audit();
  expect(ok).toBe(discrepancies.length === 0);
  for (const discrepancy of discrepancies) expect(discrepancy.account_id).toBe(customer.accountId);
  return discrepancies.map(({ kind, lot_id, charge_id }) => ({
    kind,
    lot: lot_id === lotId,
    charge: charge_id === chargeId,
  }));
}

const insertEntry = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, ledger_now())`;

describe('the audit of a sound ledger', () => {
  it('counts accounts, lots and entries and finds nothing, whatever state charges are in', async () => {
    await customer.settle(service, chargeId, 'posted');
    const { id: voided } = await customer.charge(service, 2);
    await customer.settle(service, voided, 'voided');
    await customer.charge(service, 100);
    await customer.charge(service, 0);
    await customer.charge(service, 1);
    expect(await audit()).toEqual({ ok: true, accounts: 2, lots: 2, entries: 6, discrepancies: [] });
  });
});

describe('the audit names', () => {
  it('a lost entry', async () => {
    await damage('DELETE FROM ledger_entries WHERE charge_id = $1', [chargeId]);
    expect(await findings()).toEqual([
      { kind: 'lot_remaining_differs', lot: true, charge: false },
      { kind: 'charge_entries_differ', lot: false, charge: true },
    ]);
  });

  it('a lost entry whose lot was changed to match', async () => {
    await damage('DELETE FROM ledger_entries WHERE charge_id = $1', [chargeId]);
    await damage('UPDATE lots SET remaining = 10 WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([{ kind: 'charge_entries_differ', lot: false, charge: true }]);
  });

  it('a lot that was changed', async () => {
    await damage('UPDATE lots SET remaining = remaining + 1 WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([{ kind: 'lot_remaining_differs', lot: true, charge: false }]);
    expect((await audit()).discrepancies[0]).toMatchObject({
      expected: '7 credits by its entries',
      found: '8 credits',
    });
  });

  it('a lot whose size was changed', async () => {
    await damage('UPDATE lots SET credits = 11 WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([{ kind: 'lot_without_opening_entry', lot: true, charge: false }]);
  });

  it('a lot without the entry that opened it', async () => {
    await damage("DELETE FROM ledger_entries WHERE type = 'purchase' AND lot_id = $1", [lotId]);
    expect((await findings()).map(({ kind }) => kind)).toEqual([
      'lot_remaining_differs',
      'lot_without_opening_entry',
      'balance_negative',
    ]);
  });

  it('a doubled charge', async () => {
    await damage(
      insertEntry,
      [customer.accountId, lotId, 'charge', -3, chargeId, null],
      'DROP INDEX ledger_entries_once_per_charge',
    );
    await damage('UPDATE lots SET remaining = 4 WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([{ kind: 'charge_entries_differ', lot: false, charge: true }]);
    expect((await audit()).discrepancies[0]).toMatchObject({
      expected: 'pending: 3 taken, 0 returned',
      found: '6 taken, 0 returned, 0 of it expired',
    });
  });

  it.each([
    ['a posted charge that was given back', "state = 'posted', settled_at = ledger_now()"],
    [
      'a refused charge that took credits',
      "state = 'refused', refusal = 'key_revoked', settled_at = ledger_now()",
    ],
    ['a charge of other credits than it took', 'credits = 4'],
  ])('%s', async (name, change) => {
    if (name.includes('given back')) await customer.settle(service, chargeId, 'voided');
    await damage(`UPDATE charges SET void_reason = NULL, ${change} WHERE id = $1`, [chargeId]);
    expect(await findings()).toEqual([{ kind: 'charge_entries_differ', lot: false, charge: true }]);
  });

  it('a voided charge that was not given back', async () => {
    await damage(
      "UPDATE charges SET state = 'voided', void_reason = 'given_up', settled_at = ledger_now() WHERE id = $1",
      [chargeId],
    );
    expect(await findings()).toEqual([{ kind: 'charge_entries_differ', lot: false, charge: true }]);
  });

  it('credits that were returned to another lot', async () => {
    const other = await ledger.factory.lot({ accountId: customer.accountId, credits: 10 });
    await customer.settle(service, chargeId, 'voided');
    await damage("UPDATE ledger_entries SET lot_id = $2 WHERE charge_id = $1 AND type = 'reversal'", [
      chargeId,
      other,
    ]);
    expect((await findings()).map(({ kind }) => kind)).toEqual([
      'lot_remaining_differs',
      'lot_remaining_differs',
      'charge_entries_differ',
    ]);
  });

  it('a missing charge', async () => {
    await damage('DELETE FROM charges WHERE id = $1', [chargeId]);
    expect(await findings()).toEqual([{ kind: 'charge_entries_differ', lot: false, charge: true }]);
  });

  it('an entry that was moved to another account', async () => {
    const stranger = await ledger.factory.account();
    await damage('UPDATE ledger_entries SET account_id = $2 WHERE charge_id = $1', [chargeId, stranger]);
    const { discrepancies } = await audit();
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['charge_entries_differ', 'entry_without_lot']);
  });

  it('an entry without a lot', async () => {
    await damage('DELETE FROM lots WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([
      { kind: 'entry_without_lot', lot: true, charge: false },
      { kind: 'entry_without_lot', lot: true, charge: true },
    ]);
  });

  it('a negative balance, even one that was corrected later', async () => {
    await damage(insertEntry, [customer.accountId, lotId, 'expiry', -20, null, null]);
    await damage(
      insertEntry,
      [customer.accountId, lotId, 'purchase', 20, null, null],
      'DROP INDEX ledger_entries_one_purchase',
    );
    expect((await findings()).map(({ kind }) => kind)).toEqual([
      'lot_without_opening_entry',
      'balance_negative',
      'expiry_too_early',
    ]);
  });

  it('an adjustment whose entries do not add up', async () => {
    const adjustmentId = randomUUID();
    await damage(
      `INSERT INTO adjustments (id, account_id, credits, reason, reference, credits_remaining, created_at)
       VALUES ($1, $2, -2, 'test', 'test', 5, ledger_now())`,
      [adjustmentId, customer.accountId],
    );
    expect((await findings()).map(({ kind }) => kind)).toEqual(['adjustment_entries_differ']);
  });

  it('an entry that takes from an expired lot', async () => {
    await damage(
      `UPDATE lots SET purchased_at = purchased_at - interval '31 days', expires_at = expires_at - interval '31 days'
       WHERE id = $1`,
      [lotId],
    );
    expect(await findings()).toEqual([{ kind: 'entry_after_expiry', lot: true, charge: true }]);
  });

  it('credits that came back to a lot that had expired', async () => {
    const now = new Date();
    await ledger.factory.setClock(new Date(now.getTime() + 31 * dayMs));
    await damage(insertEntry, [customer.accountId, lotId, 'reversal', 3, chargeId, null]);
    await damage(
      "UPDATE charges SET state = 'voided', void_reason = 'given_up', settled_at = now() WHERE id = $1",
      [chargeId],
    );
    await damage('UPDATE lots SET remaining = 10 WHERE id = $1', [lotId]);
    expect(await findings()).toEqual([{ kind: 'entry_after_expiry', lot: true, charge: true }]);
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
    expect(await findings()).toEqual([{ kind: 'charge_overdue', lot: false, charge: true }]);
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
