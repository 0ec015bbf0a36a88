import { type LedgerEntry } from './admin-api.js';
import { type Receipt } from './consumers.js';

/** A fault that was played; times as in the receipts. */
export interface PlayedFault {
  readonly kind: string;
  readonly target: string;
  readonly startedAt: number;
  /** When the process ran again, or the link passed everything again. */
  readonly endedAt: number;
}

/** Charges with their reversals; by request id, the credits that were taken for good and the ids of charges that were kept. */
export function chargesByRequest(entries: readonly LedgerEntry[]): {
  readonly charges: readonly LedgerEntry[];
  readonly taken: ReadonlyMap<string, number>;
  readonly kept: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const taken = new Map<string, number>();
  const kept = new Map<string, Set<string>>();
  const charges = entries.filter(({ type, charge_id }) => charge_id !== null && type !== 'expiry');
  for (const { request_id, charge_id, credits, state } of charges) {
    const id = request_id ?? '';
    taken.set(id, (taken.get(id) ?? 0) - credits);
    if (state !== 'voided') kept.set(id, (kept.get(id) ?? new Set()).add(charge_id ?? ''));
  }
  return { charges, taken, kept };
}

/** Compares what the clients saw with what the ledger took, request by request. */
export function reckon(
  receipts: readonly Receipt[],
  entries: readonly LedgerEntry[],
  faults: readonly PlayedFault[],
  pendingTimeoutMs: number,
) {
  const { charges, taken, kept } = chargesByRequest(entries);
  const takenFor = ({ requestId }: Receipt): number => taken.get(requestId) ?? 0;
  const undercharged = receipts.filter((receipt) => takenFor(receipt) < receipt.creditsUsed);
  const known = new Set(receipts.map(({ requestId }) => requestId));
  return {
    creditsSeen: receipts.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0),
    creditsTaken: [...taken.values()].reduce((sum, credits) => sum + credits, 0),
    /** Calls that cost credits without a 200, or more than their 200 said. */
    overcharged: receipts.filter((receipt) => takenFor(receipt) > receipt.creditsUsed),
    /** Answered calls whose charge came back. */
    undercharged,
    /** Calls among these that no fault explains, or whose charge is not in the ledger at all. */
    unexplained: undercharged.filter(
      (receipt) => !taken.has(receipt.requestId) || !explains(faults, receipt, pendingTimeoutMs),
    ),
    /** Request ids with more than one charge that was kept. */
    doubled: [...kept].filter(([, ids]) => ids.size > 1).map(([id]) => id),
    /** Charges of requests that no client made. */
    foreign: charges.filter(({ request_id }) => !known.has(request_id ?? '')),
  };
}

/**
 * An answered call is free when its settlement died with the gateway, or reached billing only after the time-out: so a
 * fault on the way from the gateway to the ledger must have met the time between the answer and the time-out.
 */
export function explains(
  faults: readonly PlayedFault[],
  receipt: Pick<Receipt, 'startedAt' | 'endedAt'>,
  pendingTimeoutMs: number,
): boolean {
  const leewayMs = 500;
  return faults.some(
    ({ target, startedAt, endedAt }) =>
      !target.startsWith('catalog') &&
      startedAt <= receipt.endedAt + pendingTimeoutMs + leewayMs &&
      endedAt >= receipt.startedAt - leewayMs,
  );
}
