import { type AuditReply } from '#contracts';
import { metricsText } from '#platform';
import { until } from '#testing';
import { Logger } from '@nestjs/common';
import { type ComposedBilling } from '../../composed-billing.fixture.js';
import { openLedger, type Customer, type LedgerFixture, times } from '../../ledger/ledger.fixture.js';
import { AuditService } from './audit.service.js';

const minuteMs = 60_000;
const startAt = Date.UTC(2026, 0, 1, 12);
const going = new AbortController().signal;

let ledger: LedgerFixture;
let replicas: readonly [ComposedBilling, ComposedBilling];
let customer: Customer;
let now: number;

beforeAll(async () => {
  Logger.overrideLogger(false);
  ledger = await openLedger();
  replicas = [await ledger.anotherReplica(), await ledger.anotherReplica()];
});

beforeEach(async () => {
  await ledger.empty();
  now = startAt;
  await ledger.factory.setClock(new Date(now));
  customer = await ledger.customer(10);
});

afterAll(() => ledger.close());

async function pass(ms: number): Promise<void> {
  await ledger.factory.setClock(new Date((now += ms)));
}

async function paidCall(): Promise<void> {
  const { id } = await customer.charge(ledger.replicas[0], 1);
  await customer.settle(ledger.replicas[0], id, 'posted');
}

const auditIfDue = (replica: 0 | 1 = 0) => replicas[replica].get(AuditService).auditIfDue(going);

interface Ended {
  readonly result: AuditReply | null;
  readonly problem: string | null;
}

/** Newest first. */
const audits = () => ledger.query<Ended>('SELECT result, problem FROM audits ORDER BY ended_at DESC');

async function shown(metric: string): Promise<number> {
  const { text } = await metricsText();
  return Number(new RegExp(`^creator_search_${metric} (.*)$`, 'm').exec(text)?.[1]);
}

it('audits every hour what is new, and goes on where the one before ended', async () => {
  await paidCall();
  await auditIfDue();
  await pass(60 * minuteMs - 1);
  await paidCall();
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
  await Promise.all(times(6, (index) => auditIfDue(index % 2 === 0 ? 0 : 1)));
  expect(await audits()).toHaveLength(1);
});

it('what is found is counted in the metric for a day, also by the other replica, and found again while it is there', async () => {
  await auditIfDue();
  expect(await shown('audit_discrepancies')).toBe(0);
  await pass(60 * minuteMs);
  await ledger.owner.transaction(async (manager) => {
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    await manager.query('UPDATE lots SET remaining = remaining - 1');
  });
  await auditIfDue(1);
  expect(await shown('audit_discrepancies')).toBe(1);
  expect((await audits())[0]).toMatchObject({
    result: { ok: false, discrepancies: [{ kind: 'lot_remaining_differs', account_id: customer.accountId }] },
  });
  await pass(60 * minuteMs);
  await auditIfDue();
  expect((await audits())[0]?.result?.discrepancies).toHaveLength(1);
});

it('one that would begin while another replica audits is left to that one', async () => {
  await ledger.owner.transaction(async (manager) => {
    await manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await manager.query('LOCK TABLE lots IN ACCESS EXCLUSIVE MODE');
    const first = auditIfDue();
    await until(async () => (await ledger.lockWaiters()) > 0);
    await auditIfDue(1);
    await manager.query('ROLLBACK');
    await first;
  });
  expect(await audits()).toHaveLength(1);
});

it('one that is stopped with its replica says so, and is done again after five minutes', async () => {
  const stopped = AbortSignal.abort();
  await replicas[0].get(AuditService).auditIfDue(stopped);
  expect(await audits()).toMatchObject([{ result: null, problem: 'The replica that ran it was stopped.' }]);
  await pass(5 * minuteMs - 1);
  await auditIfDue(1);
  expect(await audits()).toHaveLength(1);
  await pass(1);
  await auditIfDue(1);
  expect(await audits()).toMatchObject([{ result: { ok: true } }, { result: null }]);
});
