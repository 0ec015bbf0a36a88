import { type ChargeRequest } from '#contracts';
import { type Idempotency, type StoredCharge } from './ledger-state.js';

/** How long a paid call can be repeated for nothing, from its charge on, ms. */
export const repeatableMs = 15 * 60_000;

/** How often a paid call can be repeated free of charge: each repetition returns current results. */
export const repeatsMax = 5;

/** By which repetitions of a call are recognized; `null` for a call without an `Idempotency-Key`. */
export function idempotencyOf(request: ChargeRequest): Idempotency | null {
  const { idempotency_key_hash: keyHash, fingerprint } = request;
  return keyHash === undefined || fingerprint === undefined ? null : { keyHash, fingerprint };
}

/**
 * The paid charges that a later call of the same API key may repeat: within the time, and up to the number, the calls under the
 * `Idempotency-Key` of a paid one are its repetitions, which cost nothing and are not kept here. After that a call is
 * charged again. If the clock was set back, there may be two charges of a key: the younger one counts.
 */
export class RepeatableCharges {
  private readonly charges = new Map<string, Map<string, StoredCharge>>();

  /** Keeps a charge as it is now: until it is voided, or has been repeated often enough. */
  keep(charge: StoredCharge): void {
    if (!charge.idempotency) return;
    const name = nameOf(charge.keyId, charge.idempotency);
    const known = this.charges.get(name) ?? new Map<string, StoredCharge>();
    this.charges.set(name, known);
    if (charge.state === 'voided' || charge.repeats >= repeatsMax) known.delete(charge.id);
    else known.set(charge.id, charge);
  }

  /** The charge under the `Idempotency-Key` of this call, if it is not too old by `now`. */
  find(request: ChargeRequest, now: Date): StoredCharge | undefined {
    const idempotency = idempotencyOf(request);
    const known = idempotency && this.charges.get(nameOf(request.key_id, idempotency));
    const [charge] = [...(known?.values() ?? [])].sort(
      (one, other) => other.createdAt.getTime() - one.createdAt.getTime(),
    );
    return charge && now.getTime() - charge.createdAt.getTime() < repeatableMs ? charge : undefined;
  }
}

function nameOf(keyId: string, { keyHash }: Idempotency): string {
  return `${keyId} ${keyHash}`;
}
