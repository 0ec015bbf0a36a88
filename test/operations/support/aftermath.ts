import { type Stack } from '#dev';
import { eventually, Metrics } from '#testing';
import { admin } from '../../support/admin-api.js';
import { type Breaches, breachesOf, type Delivery } from '../../support/deliveries.js';
import { api } from '../../support/public-api.js';
import { settledLedgers } from '../../support/settled-ledgers.js';

/** A charge whose call has ended is settled within this time, and not only by the time-out of those that are never settled. */
const settledWithinMs = 5_000;
const goneWithinMs = 5_000;

/** Requests that the gateway still counts as unanswered after a while. */
export async function requestsLeftInFlight(stack: Stack, withinMs = goneWithinMs): Promise<number> {
  let inFlight = -1;
  await eventually(async () => {
    inFlight = (await Metrics.of(stack.internalUrls.gateway[0] ?? '')).sum('http_requests_in_flight');
    if (inFlight !== 0) throw new Error(`${inFlight} in flight`);
  }, withinMs).catch(() => undefined);
  return inFlight;
}

/** Status and how often it came, of so many profile reads at once. */
export async function statusesOfBurst(
  count: number,
  slug: string,
  key: string,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const call = async (): Promise<void> => {
    const status = await api.profile(slug, key).then(
      (reply) => reply.status,
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: count }, call));
  return statuses;
}

/** What the ledger made of the requests that were sent with an account's keys: how many broke the rule, and how. */
export interface LedgerAftermath {
  readonly isSettled: boolean;
  readonly underpaid: number;
  readonly overpaid: number;
  readonly foreign: number;
}

export const ledgerInOrder: LedgerAftermath = { isSettled: true, underpaid: 0, overpaid: 0, foreign: 0 };

/** Waits until the account's charges are settled, as long as that may take, and compares them with the deliveries. */
export async function ledgerAftermath(
  accountId: string,
  deliveries: readonly Delivery[],
): Promise<LedgerAftermath & Pick<Breaches, 'creditsTaken' | 'creditsArrived' | 'creditsPerhaps'>> {
  const settled = await settledLedgers([accountId], settledWithinMs).catch(() => null);
  const breaches = breachesOf(deliveries, settled ?? (await admin.ledger(accountId)));
  return {
    ...breaches,
    isSettled: settled !== null,
    underpaid: breaches.underpaid.length,
    overpaid: breaches.overpaid.length,
    foreign: breaches.foreign.length,
  };
}
