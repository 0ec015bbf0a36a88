import { hasFailed } from '../../support/consumers.js';
import { type FaultRun } from './fault-run.js';

/** What happened, in one line. */
export function reportOf(
  { replicas, faults, receipts, reckoning, purchases }: FaultRun,
  title: string,
): string {
  const worst = (times: readonly number[]): string => `${Math.max(...times).toFixed(0)} ms`;
  return [
    `${faults.length} faults, ${replicas} of each service, ${title}`,
    `calls fail for ${worst(faults.map(({ failsForMs }) => failsForMs))} and recover in ${worst(faults.map(({ recoveryMs }) => recoveryMs))} at most`,
    `${receipts.length} calls, ${receipts.filter(hasFailed).length} failed, ${reckoning.undercharged.length} were free`,
    `${purchases} purchases\n`,
  ].join('; ');
}
