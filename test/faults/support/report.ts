import { type FaultRun, type SeenFault } from './fault-run.js';

/** What happened: a line for each kind of fault and target, then the sums. */
export function reportOf(run: FaultRun, title: string): string {
  const { replicas, faults, receipts, reckoning, repeated, purchases, audit } = run;
  const { creditsSeen, creditsTaken, overcharged, undercharged, unexplained, doubled } = reckoning;
  const { calls, sent, lost, waited, unchanged, priceOfAll, creditsTaken: taken } = repeated;
  return [
    `${faults.length} faults, ${replicas} of each service, ${title}`,
    ...[...new Set(faults.map(nameOf))].toSorted().map((name) => lineOf(name, faults)),
    `calls ${receipts.length}: ${countsOf(receipts.map(({ status }) => status))}`,
    `credits seen by clients ${creditsSeen}, taken ${creditsTaken}; calls overcharged ${overcharged.length}, ` +
      `charged twice ${doubled.length}, undercharged ${undercharged.length} (unexplained ${unexplained.length})`,
    `calls in GET /calls: ${countsOf(run.checkedCalls.map(({ report }) => report))}`,
    `calls repeated until answered: ${JSON.stringify({ calls, sent, lost, waited, unchanged, priceOfAll, taken })}`,
    `purchases ${purchases}; audit ${audit.ok ? 'ok' : 'NOT ok'} of ${audit.entries} entries`,
    '',
  ].join('\n');
}

const nameOf = ({ kind, target }: SeenFault): string => `${kind} ${target}`;

function lineOf(name: string, all: readonly SeenFault[]): string {
  const faults = all.filter((fault) => nameOf(fault) === name);
  const worst = (times: readonly number[]): string => `${Math.max(...times).toFixed(0)} ms`;
  const failed = faults.flatMap((fault) => fault.failed.map(({ status }) => status));
  return (
    `${name}: ${faults.length} times; fails for ${worst(faults.map(({ failsForMs }) => failsForMs))}, ` +
    `recovers in ${worst(faults.map(({ recoveryMs }) => recoveryMs))}; failed calls: ${countsOf(failed)}`
  );
}

function countsOf(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} x ${value}`).join(', ') || 'none';
}
