import { type CallReckoning } from '../../support/repeated-calls.js';
import { type Verdict } from './checked-calls.js';
import { type FaultRun, type SeenFault } from './fault-run.js';

/** What happened, as a table: a line for each kind of fault and target, then the sums. */
export function reportOf(run: FaultRun, seed: number): string {
  const { replicas, faults, receipts, reckoning, purchases, audit } = run;
  const { creditsSeen, creditsTaken, overcharged, undercharged, unexplained, doubled } = reckoning;
  return [
    `${faults.length} faults, ${replicas} of each service, FAULT_SEED=${seed}`,
    ...tableOf(faults),
    `calls ${receipts.length}: ${outcomesOf(receipts.map(({ status }) => status))}`,
    `credits seen by clients ${creditsSeen}, taken ${creditsTaken}`,
    `overcharged calls ${overcharged.length}, double charges ${doubled.length}, ` +
      `undercharged calls ${undercharged.length} (unexplained ${unexplained.length})`,
    ...checkedCallsOf(run),
    `calls repeated until answered ${figuresOf(run.repeated)}`,
    `profiles kept fresh ${figuresOf(run.fresh)}`,
    `purchases ${purchases}: lost ${run.lotsLost}, doubled ${run.lotsDoubled.length}; lowest balance ${run.lowestBalance}`,
    `audit ${audit.ok ? 'ok' : 'NOT ok'}: ${audit.entries} entries, ${audit.discrepancies.length} discrepancies`,
    '',
  ].join('\n');
}

/** What the customers found when they looked up each of their calls. */
function checkedCallsOf({ checkedCalls, checkingMs }: FaultRun): string[] {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of checkedCalls) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const of = (verdict: Verdict): number => counts.get(verdict) ?? 0;
  return [
    `GET /calls/{request_id} of ${checkedCalls.length} calls, in ${(checkingMs / 1_000).toFixed(1)} s: wrong ${of('wrong')}`,
    `  received: posted as the answer said ${of('posted')}, given back ${of('given back')}`,
    `  not received: absent ${of('absent')}, given up ${of('given_up')}, timed out ${of('timed_out')}, ` +
      `free from the beginning ${of('free')}`,
  ];
}

function figuresOf({ calls, sent, lost, waited, priceOfAll, creditsTaken, ...rest }: CallReckoning): string {
  return (
    `${calls}: sent ${sent}, lost ${lost}, waited ${waited}; price ${priceOfAll}, taken ${creditsTaken}; ` +
    `overpaid ${rest.overpaid.length}, not paid ${rest.underpaid.length}`
  );
}

function tableOf(faults: readonly SeenFault[]): string[] {
  const groups = new Map<string, SeenFault[]>();
  for (const fault of faults) {
    const name = `${fault.kind.padEnd(6)}${fault.target}`;
    groups.set(name, [...(groups.get(name) ?? []), fault]);
  }
  const rows = [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, group]) => rowOf(name, group));
  return ['fault                   times   calls  recovery ms (worst)  failed calls', ...rows];
}

function rowOf(name: string, faults: readonly SeenFault[]): string {
  const calls = faults.reduce((sum, fault) => sum + fault.calls, 0);
  const recovery = Math.max(...faults.map(({ recoveryMs }) => recoveryMs));
  const failed = faults.flatMap((fault) => fault.failed.map(({ status }) => status));
  return [
    name.padEnd(24),
    String(faults.length).padStart(5),
    String(calls).padStart(8),
    recovery.toFixed(0).padStart(21),
    `  ${failed.length === 0 ? '0' : outcomesOf(failed)}`,
  ].join('');
}

function outcomesOf(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} x ${status === 0 ? 'reset' : status}`)
    .join(', ');
}
