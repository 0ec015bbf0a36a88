import { dayMs } from '../../durations.js';
import { type Call } from './commands.fixture.js';

interface Charge {
  readonly call: Call;
  readonly state: string;
  readonly createdAt: number;
  readonly abandonedAt?: number;
  readonly repeatOf?: string;
}

const dayOf = (at = Number.NaN): number => Math.floor(at / dayMs);

/** Whether an account with these charges may leave a call for nothing: five a day (UTC), and one more for each hundred paid calls of it. */
export function mayLeave(charges: Iterable<Charge>, now: number): boolean {
  let [free, paid] = [0, 0];
  for (const { state, call, repeatOf, createdAt, abandonedAt } of charges) {
    if (state === 'voided' && dayOf(abandonedAt) === dayOf(now)) free += 1;
    const isPaid = state === 'posted' && call.credits > 0 && repeatOf === undefined;
    if (isPaid && dayOf(createdAt) === dayOf(now)) paid += 1;
  }
  return free < 5 + Math.floor(paid / 100);
}
