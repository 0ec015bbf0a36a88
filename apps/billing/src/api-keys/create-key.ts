import { type CreateKeyRequest, ServiceError } from '@app/contracts';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts } from '../database/locked-accounts.js';
import { type Query } from '../database/query.js';
import { claimIdempotencyKey, type Made, noteAnswer } from '../idempotency/idempotency-keys.repository.js';
import {
  findKey,
  findKeyIfAny,
  insertKey,
  type KeyRow,
  replaceSecret,
  takenSlots,
  wasDeleted,
} from './api-keys.repository.js';

const slots = [1, 2, 3, 4, 5];

interface KeyWithSecret {
  readonly row: KeyRow;
  /** The hash of the secret that the key had before. */
  readonly replacedHash?: string;
}

/**
 * Makes a key. When the Idempotency-Key has made one before, that one gets the new secret instead: the old one was shown once,
 * in a reply that may have been lost. `begunAt` is when the caller asked. Throws `conflict` when there are 5 keys, and when
 * the key that was made before can't have a new secret any more.
 */
export async function createKeyLocked(
  locked: LockedAccounts,
  request: CreateKeyRequest,
  begunAt: Date,
): Promise<KeyWithSecret> {
  const { query, now, accountIds } = locked;
  const { account_id: accountId, key_id: newId, name, idempotency_key: idempotencyKey } = request;
  if (!accountIds.has(accountId)) throw noSuchAccount();
  const creation = { scope: scopeOf(request), idempotencyKey, content: [name], newId };
  const made = await claimIdempotencyKey(query, creation, now);
  const known = await findKeyIfAny(query, accountId, made.id);
  if (known) return giveSecret(locked, request, { ...made, key: known }, begunAt);
  if (await wasDeleted(query, made.id)) {
    throw conflict('The key that this Idempotency-Key made was deleted; use a new one to make another key.');
  }
  const slot = await freeSlot(query, accountId);
  const { key_hash: hash, prefix } = request;
  await insertKey(query, { id: newId, accountId, name, hash, prefix, slot }, now);
  return { row: await findKey(query, accountId, newId) };
}

/** A message that comes a second time changes nothing. */
async function giveSecret(
  { query, now }: LockedAccounts,
  request: CreateKeyRequest,
  { key, answeredAt }: Made & { readonly key: KeyRow },
  begunAt: Date,
): Promise<KeyWithSecret> {
  const { account_id, key_hash, prefix, idempotency_key } = request;
  if (key.hash === key_hash) return { row: key };
  if (key.last_used_at) {
    throw conflict(
      `The key ${key.id} that this Idempotency-Key made has been used, so its secret stays as it was given; ` +
        'use a new Idempotency-Key to make another key.',
    );
  }
  // A request sent before that answer may be a second caller's, and the first one may be using the secret already.
  if (begunAt.getTime() < answeredAt.getTime()) {
    throw conflict(
      `Another request with this Idempotency-Key was answered meanwhile with a secret of the key ${key.id}; ` +
        'if it was lost, send this one again for a new secret.',
    );
  }
  await replaceSecret(query, key.id, key_hash, prefix);
  await noteAnswer(query, { scope: scopeOf(request), idempotencyKey: idempotency_key }, now);
  return { row: await findKey(query, account_id, key.id), replacedHash: key.hash };
}

function scopeOf({ account_id }: CreateKeyRequest): string {
  return `keys of ${account_id}`;
}

async function freeSlot(query: Query, accountId: string): Promise<number> {
  const taken = await takenSlots(query, accountId);
  const slot = slots.find((candidate) => !taken.includes(candidate));
  if (slot === undefined) {
    throw conflict('The account has 5 keys already; delete one to make room for another.');
  }
  return slot;
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message);
}
