import { type AuditView } from '#contracts';
import { metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Logger } from '@nestjs/common';
import { type ComposedBilling } from '../../composed-billing.fixture.js';
import { openLedger, type Customer, type LedgerFixture, times } from '../../ledger/ledger.fixture.js';
import { AuditsRepository } from './audits.repository.js';
import { FullAuditsService } from './full-audits.service.js';
import { HourlyAudit } from './hourly-audit.js';
import { LedgerAudit } from './ledger-audit.js';

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

const auditIfDue = (replica: 0 | 1 = 0) => replicas[replica].get(HourlyAudit).auditIfDue(going);

/** Newest first, with their results. */
async function audits(): Promise<AuditView[]> {
  const service = ledger.get(FullAuditsService);
  return Promise.all((await service.list()).map(({ id }) => service.show({ audit_id: id })));
}

async function shown(metric: string): Promise<number> {
  const { text } = await metricsText();
  return Number(new RegExp(`^creator_search_${metric} (.*)$`, 'm').exec(text)?.[1]);
}

const checkpoints = () => ledger.query('SELECT lot_id, credits FROM audit_checkpoints');

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
  expect(done.map(({ kind, state, result }) => [kind, state, result?.entries, result?.ok])).toEqual([
    // The call was in the last minute before the audit in the middle.
    ['hourly', 'done', 1, true],
    ['hourly', 'done', 3, true],
    ['hourly', 'done', 2, true],
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
    discrepancies: 1,
    result: { ok: false, discrepancies: [{ kind: 'lot_remaining_differs', account_id: customer.accountId }] },
  });
  await pass(60 * minuteMs);
  await auditIfDue();
  expect((await audits())[0]).toMatchObject({ discrepancies: 1 });
});

it('an audit of a replica that was killed is done by another one, and nothing of the dead one is stored', async () => {
  const repository = replicas[0].get(AuditsRepository);
  await paidCall();
  await pass(2 * minuteMs);
  const dead = (await repository.claimHourly()) ?? '';
  const { credits } = await repository.checkpoint();
  const reader = new TransactionRunner(ledger.reports);
  const outcome = await replicas[0].get(LedgerAudit).run({ reader, before: null, signal: going });
  await paidCall();
  await pass(10 * minuteMs);
  await auditIfDue(1);
  const stored = await checkpoints();
  expect(stored).toMatchObject([{ credits: 8 }]);
  // It was only paused, and goes on.
  expect(await repository.finishHourly(dead, outcome, credits)).toBe(false);
  expect(await checkpoints()).toEqual(stored);
  expect(await audits()).toMatchObject([
    { state: 'done' },
    { id: dead, state: 'failed', problem: 'The replica that ran it has stopped.' },
  ]);
});

it('one that is stopped with its replica says so, and is done again after five minutes', async () => {
  const stopped = AbortSignal.abort();
  await replicas[0].get(HourlyAudit).auditIfDue(stopped);
  expect(await audits()).toMatchObject([
    { state: 'failed', problem: 'The replica that ran it was stopped.' },
  ]);
  await pass(5 * minuteMs - 1);
  await auditIfDue(1);
  expect(await audits()).toHaveLength(1);
  await pass(1);
  await auditIfDue(1);
  expect(await audits()).toMatchObject([{ state: 'done' }, { state: 'failed' }]);
});
