import { type FaultRun, type SeenFault } from './fault-run.js';

/** What happened, as a table: a line for each kind of fault and target, then the sums. */
export function reportOf(run: FaultRun, title: string): string {
  const { replicas, faults, receipts, reckoning, repeated, purchases, audit } = run;
  const { creditsSeen, creditsTaken, overcharged, undercharged, unexplained, doubled } = reckoning;
  return [
    `${faults.length} faults, ${replicas} of each service, ${title}`,
    ...tableOf(faults),
    `calls ${receipts.length}: ${outcomesOf(receipts.map(({ status }) => status))}`,
    `credits seen by clients ${creditsSeen}, taken ${creditsTaken}`,
    `overcharged calls ${overcharged.length}, double charges ${doubled.length}, ` +
      `undercharged calls ${undercharged.length} (unexplained ${unexplained.length})`,
    `calls in GET /calls: ${countsOf(run.checkedCalls.map(({ report }) => report))}`,
    `calls repeated until answered ${repeated.calls}: sent ${repeated.sent}, lost ${repeated.lost}, ` +
      `waited ${repeated.waited}, unchanged ${repeated.unchanged}; price ${repeated.priceOfAll}, ` +
      `taken ${repeated.creditsTaken}; overpaid ${repeated.overpaid.length}, not paid ${repeated.underpaid.length}`,
    `purchases ${purchases}: lost ${run.lotsLost}, doubled ${run.lotsDoubled.length}; lowest balance ${run.lowestBalance}`,
    `audit ${audit.ok ? 'ok' : 'NOT ok'}: ${audit.entries} entries, ${audit.discrepancies.length} discrepancies`,
    '',
  ].join('\n');
}

function tableOf(faults: readonly SeenFault[]): string[] {
  const groups = new Map<string, SeenFault[]>();
  for (const fault of faults) {
    const name = `${fault.kind.padEnd(5)} ${fault.target}`;
    groups.set(name, [...(groups.get(name) ?? []), fault]);
  }
  const rows = [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, group]) => rowOf(name, group));
  return ['fault                   times   calls  fails for ms  recovery ms (worst)  failed calls', ...rows];
}

function rowOf(name: string, faults: readonly SeenFault[]): string {
  const calls = faults.reduce((sum, fault) => sum + fault.calls, 0);
  const recovery = Math.max(...faults.map(({ recoveryMs }) => recoveryMs));
  const failed = faults.flatMap((fault) => fault.failed.map(({ status }) => status));
  return [
    name.padEnd(24),
    String(faults.length).padStart(5),
    String(calls).padStart(8),
    Math.max(...faults.map(({ failsForMs }) => failsForMs))
      .toFixed(0)
      .padStart(14),
    recovery.toFixed(0).padStart(21),
    `  ${failed.length === 0 ? '0' : outcomesOf(failed)}`,
  ].join('');
}

function outcomesOf(statuses: readonly number[]): string {
  return countsOf(statuses.map((status) => (status === 0 ? 'reset' : String(status))));
}

function countsOf(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([value, count]) => `${count} x ${value}`)
    .join(', ');
}
