import { type ChargeRequest } from '#contracts';
import { sha256 } from '#platform';
import { type Found } from './price-search.js';

/** What lets billing recognise that a call repeats a paid one. */
export type Repetition = Pick<ChargeRequest, 'idempotency_key_hash' | 'fingerprint'>;

/** The marks of a call of an API key: none without an `Idempotency-Key`. */
export function repetitionOf(
  keyId: string,
  { metered, parameters }: Pick<Found, 'metered' | 'parameters'>,
  idempotencyKey: string | undefined,
): Repetition {
  if (idempotencyKey === undefined) return {};
  return {
    idempotency_key_hash: sha256(`${keyId} ${idempotencyKey}`),
    fingerprint: sha256(JSON.stringify([metered.operation, parameters])),
  };
}
