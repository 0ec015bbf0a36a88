import { type AuditReply } from '#contracts';
import { metricsText } from '#platform';
import { Logger } from '@nestjs/common';
import { minuteMs } from '../../durations.js';
import { type ComposedBilling } from '../../composed-billing.fixture.js';
import { openLedger, type Customer, type LedgerFixture, times } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditService } from './audit.service.js';

const startAt = Date.UTC(2026, 0, 1, 12);

let ledger: LedgerFixture;
let replicas: readonly [ComposedBilling, ComposedBilling];
let customer: Customer;
/** A pending charge of 3 credits, from a lot of 10. */
let chargeId: string;
let now: number;

beforeAll(async () => {
  Logger.overrideLogger(false);
  ledger = await openLedger();
  replicas = [await ledger.anotherReplica(), await ledger.anotherReplica()];
});

beforeEach(async () => {
  await ledger.empty();
  now = startAt;
  await pass(0);
  customer = await ledger.customer(10);
  ({ id: chargeId } = await customer.charge(ledger.replicas[0], 3));
});

afterAll(() => ledger.close());

async function pass(ms: number): Promise<void> {
  await ledger.factory.setClock(new Date((now += ms)));
}

/** Does damage in the customer's account (`$1`) that the schema refuses: triggers and foreign keys do not apply. */
async function damage(sql: string): Promise<void> {
  await ledger.owner.transaction(async (manager) => {
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    await manager.query(sql, [customer.accountId]);
  });
}

const changeLot = (change: string) => damage(`UPDATE lots SET ${change} WHERE account_id = $1`);

describe('an audit that is asked for', () => {
  const audit = () => ledger.get(AuditService).audit();

  it('names a pending charge more than two sweep periods past its time-out, and not earlier', async () => {
    const { pendingTimeoutMs, sweepPeriodMs } = defaultLedgerOptions;
    await pass(pendingTimeoutMs + 2 * sweepPeriodMs);
    expect(await audit()).toMatchObject({ ok: true, discrepancies: [] });
    await pass(1);
    const { accountId: account_id } = customer;
    const overdue = { kind: 'charge_overdue', account_id, lot_id: null, charge_id: chargeId };
    expect(await audit()).toMatchObject({ ok: false, discrepancies: [overdue] });
  });

  it('names at most 1,000 discrepancies', async () => {
    await damage(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
       SELECT $1, gen_random_uuid(), 'purchase', 1, NULL, ledger_now() FROM generate_series(1, 1500)`,
    );
    const { ok, discrepancies } = await audit();
    expect([ok, discrepancies.length]).toEqual([false, 1_000]);
  });
});

describe('the hourly audit', () => {
  const auditIfDue = (replica = 0, signal = new AbortController().signal) =>
    replicas[replica === 0 ? 0 : 1].get(AuditService).auditIfDue(signal);

  interface Ended {
    readonly result: AuditReply | null;
    readonly problem: string | null;
  }

  /** Newest first. */
  const audits = () => ledger.query<Ended>('SELECT result, problem FROM audits ORDER BY ended_at DESC');

  async function discrepanciesShown(): Promise<number> {
    const { text } = await metricsText();
    return Number(/^creator_search_audit_discrepancies (.*)$/m.exec(text)?.[1]);
  }

  it('reads every hour what is new, and goes on where the one before ended', async () => {
    await customer.settle(ledger.replicas[0], chargeId, 'posted');
    await auditIfDue();
    await pass(60 * minuteMs - 1);
    await customer.spend(ledger.replicas[0], 1);
    await auditIfDue();
    await pass(1);
    await auditIfDue();
    await pass(60 * minuteMs);
    await auditIfDue();
    const done = await audits();
    expect(done.map(({ result }) => [result?.entries, result?.ok])).toEqual([
      // The call was in the last minute before the audit in the middle.
      [1, true],
      [3, true],
      [2, true],
    ]);
  });

  it('is done by one of two replicas that ask at once', async () => {
    await Promise.all(times(6, (index) => auditIfDue(index % 2)));
    expect(await audits()).toHaveLength(1);
  });

  it('counts what it finds in the metric for a day, on every replica, and finds it again while it is there', async () => {
    await customer.settle(ledger.replicas[0], chargeId, 'posted');
    await auditIfDue();
    expect(await discrepanciesShown()).toBe(0);
    await pass(60 * minuteMs);
    await changeLot('remaining = remaining - 1');
    await auditIfDue(1);
    expect(await discrepanciesShown()).toBe(1);
    const found = { kind: 'lot_remaining_differs', account_id: customer.accountId };
    expect((await audits())[0]).toMatchObject({ result: { ok: false, discrepancies: [found] } });
    await pass(60 * minuteMs);
    await auditIfDue();
    expect((await audits())[0]?.result?.discrepancies).toHaveLength(1);
  });

  it('names a lot of the last minute that was changed', async () => {
    await changeLot('remaining = remaining - 1');
    await auditIfDue();
    expect(await audits()).toMatchObject([
      { result: { discrepancies: [{ kind: 'lot_remaining_differs' }] } },
    ]);
  });

  it('says that it was stopped with its replica, and is done again after five minutes', async () => {
    await customer.settle(ledger.replicas[0], chargeId, 'posted');
    await auditIfDue(0, AbortSignal.abort());
    expect(await audits()).toMatchObject([{ result: null, problem: 'The replica that ran it was stopped.' }]);
    await pass(5 * minuteMs - 1);
    await auditIfDue(1);
    expect(await audits()).toHaveLength(1);
    await pass(1);
    await auditIfDue(1);
    expect(await audits()).toMatchObject([{ result: { ok: true } }, { result: null }]);
  });
});
