import { type ChargeRequest, type Operation } from '@app/contracts';
import { sha256 } from '@app/platform';
import { type FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from '../http/requests/idempotency-key-header.js';
import { type PublicCall } from '../http/calls/public-call.js';

/**
 * What lets billing tell that a call repeats a paid one (design 11): nothing without an `Idempotency-Key`. `parameters`
 * are those that were read, so that the same call written in another way is the same. Throws `invalid_request` for a
 * header that is not valid.
 */
export function repeatableCall(
  request: FastifyRequest,
  { key }: PublicCall,
  operation: Operation,
  parameters: object,
): Pick<ChargeRequest, 'idempotency_key_hash' | 'fingerprint'> {
  const idempotencyKey = idempotencyKeyOf(request);
  if (idempotencyKey === undefined) return {};
  return {
    idempotency_key_hash: sha256(`${key.key_id} ${idempotencyKey}`),
    fingerprint: sha256(JSON.stringify([operation, parameters])),
  };
}
