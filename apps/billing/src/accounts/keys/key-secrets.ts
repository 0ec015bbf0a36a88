import { type CreateKeyRequest, type KeyPath, type RotateKeyRequest } from '#contracts';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { hourMs } from '../../durations.js';
import { conflict, invalidField, rateLimited } from '../../errors.js';
import { AccountsRepository } from '../accounts.repository.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import {
  IdempotencyKeysRepository,
  type Made,
} from '../../ledger/idempotency/idempotency-keys.repository.js';
import { ApiKey } from './api-key.entity.js';
import { MembersRepository } from '../../people/records/members.repository.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const slots = [1, 2, 3, 4, 5];

/** Prevents a script that creates and deletes keys, or rotates them, from filling a table. */
const [keysPerDayMax, rotationsPerDayMax] = [100, 100];

/** A key with a new secret. */
export interface KeyWithSecret {
  readonly key: ApiKey;
  /** Hashes of secrets of the key that are no longer accepted. */
  readonly replacedHashes?: readonly string[];
}

/**
 * Creates keys and gives them new secrets, once per Idempotency-Key. A key has at most two secrets: the present one, and the one before it
 * for a while.
 */
@Injectable()
export class KeySecrets {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly idempotencyKeys: IdempotencyKeysRepository,
    private readonly members: MembersRepository,
  ) {}

  /**
   * Creates a key. If the Idempotency-Key has created one before, that key gets the new secret instead: the old one was shown once,
   * in a reply that may have been lost. `sentAt` is when the caller sent its request. Throws `conflict` when there are 5 keys and
   * when the earlier key can no longer get a new secret, `rate_limited` after 100 keys in 24 h, `invalid_request` for an expiry that
   * is not in the future and for a limit of a test key, `not_found` when the creator is no
   * member.
   */
  async create(locked: LockedAccounts, request: CreateKeyRequest, sentAt: Date): Promise<KeyWithSecret> {
    const { account_id: accountId, key_id: id, name, idempotency_key: idempotencyKey } = request;
    await this.accounts.requireNotSuspended(locked, accountId);
    const creation = { scope: keysOf(request), idempotencyKey, content: contentOf(request), newId: id };
    const made = await this.idempotencyKeys.claim(locked, creation);
    const known = await this.keys.find(locked, accountId, made.id);
    if (known) return this.giveSecret(locked, request, { ...made, key: known }, sentAt);
    if (await locked.manager.existsBy(ApiKey, { id: made.id, deletedAt: Not(IsNull()) })) {
      throw conflict(
        'The key that this Idempotency-Key created was deleted. Use a new Idempotency-Key to create another key.',
      );
    }
    const slot = await this.freeSlot(locked, accountId);
    await this.refuseTooMany(locked, accountId);
    const { key_hash: hash, prefix, mode, created_by: createdBy = null, monthly_limit = null } = request;
    if (createdBy !== null) await this.members.get(locked, { accountId, personId: createdBy });
    const expiresAt = expiryOf(request.expires_at ?? null, locked.now);
    const requested = { id, accountId, name, mode, hash, prefix, expiresAt, createdBy };
    await locked.manager.insert(ApiKey, { ...requested, slot, createdAt: locked.now });
    const key = await this.keys.get(locked, accountId, id);
    if (monthly_limit === null) return { key };
    await this.keys.limit(locked, key, monthly_limit);
    return { key: await this.keys.get(locked, accountId, id) };
  }

  /** Does nothing for a redelivered message. */
  private async giveSecret(
    locked: LockedAccounts,
    request: CreateKeyRequest,
    { key, lastReplyAt }: Made & { readonly key: ApiKey },
    sentAt: Date,
  ): Promise<KeyWithSecret> {
    const { account_id, key_hash, prefix, idempotency_key: idempotencyKey } = request;
    if (key.hash === key_hash) return { key };
    if (key.lastUsedAt) {
      throw conflict(
        `The key ${key.id} that this Idempotency-Key created has been used, so its secret is not replaced. ` +
          'Use a new Idempotency-Key to create another key.',
      );
    }
    if (key.rotatedAt) {
      throw conflict(`The key ${key.id} that this Idempotency-Key created has been rotated since.`);
    }
    // A request sent before that answer may come from another caller, and the first caller may already use its secret.
    if (sentAt.getTime() < lastReplyAt.getTime()) {
      throw conflict(
        `Another request with this Idempotency-Key has received a new secret for the key ${key.id}. ` +
          'If its response was lost, send this request again.',
      );
    }
    await locked.manager.update(ApiKey, { id: key.id }, { hash: key_hash, prefix });
    await this.idempotencyKeys.recordReply(locked, { scope: keysOf(request), idempotencyKey });
    return { key: await this.keys.get(locked, account_id, key.id), replacedHashes: [key.hash] };
  }

  /**
   * The present secret becomes the previous one, and the one before that ends at once. If the Idempotency-Key has rotated the key
   * before, the secret of that rotation is replaced instead: its reply may have been lost. `sentAt` is when the caller sent its
   * request. Throws `conflict` when the secret of that rotation can no longer be replaced or the account is suspended, `rate_limited`
   * after 100 rotations in a day, `not_found`.
   */
  async rotate(locked: LockedAccounts, request: RotateKeyRequest, sentAt: Date): Promise<KeyWithSecret> {
    const { account_id, key_id, rotation_id: newId, overlap_hours } = request;
    const { key_hash: hash, prefix, idempotency_key: idempotencyKey } = request;
    await this.accounts.requireNotSuspended(locked, account_id);
    const key = await this.keys.get(locked, account_id, key_id);
    const scope = rotationsOf(request);
    const rotation = { scope, idempotencyKey, content: [String(overlap_hours)], newId };
    const made = await this.idempotencyKeys.claim(locked, rotation);
    // A redelivered message.
    if (key.hash === hash) return { key };
    if (made.id === newId) {
      if ((await this.idempotencyKeys.count(locked, scope)) > rotationsPerDayMax) {
        throw rateLimited('This key was rotated too often within a day. Try again later.');
      }
      return this.replacePresent(locked, key, request);
    }
    if (key.rotatedAt?.getTime() !== made.lastReplyAt.getTime() || sentAt < made.lastReplyAt) {
      throw conflict(
        'The key has got another secret since this Idempotency-Key rotated it. Use a new Idempotency-Key to rotate it again.',
      );
    }
    await locked.manager.update(ApiKey, { id: key_id }, { hash, prefix, rotatedAt: locked.now });
    await this.idempotencyKeys.recordReply(locked, { scope, idempotencyKey });
    return { key: await this.keys.get(locked, account_id, key_id), replacedHashes: [key.hash] };
  }

  private async replacePresent(
    locked: LockedAccounts,
    key: ApiKey,
    { account_id, key_id, key_hash: hash, prefix, overlap_hours }: RotateKeyRequest,
  ): Promise<KeyWithSecret> {
    const hasOverlap = overlap_hours > 0;
    const secrets = {
      hash,
      prefix,
      previousHash: hasOverlap ? key.hash : null,
      previousPrefix: hasOverlap ? key.prefix : null,
      previousValidUntil: hasOverlap ? new Date(locked.now.getTime() + overlap_hours * hourMs) : null,
      rotatedAt: locked.now,
    };
    await locked.manager.update(ApiKey, { id: key_id }, secrets);
    const replacedHashes = [key.hash, ...(key.previousHash === null ? [] : [key.previousHash])];
    return { key: await this.keys.get(locked, account_id, key_id), replacedHashes };
  }

  private async refuseTooMany(locked: LockedAccounts, accountId: string): Promise<void> {
    const createdAt = MoreThan(new Date(locked.now.getTime() - 24 * hourMs));
    if ((await locked.manager.countBy(ApiKey, { accountId, createdAt })) < keysPerDayMax) return;
    throw rateLimited(`The account has created ${keysPerDayMax} keys within 24 hours. Try again later.`);
  }

  private async freeSlot(locked: LockedAccounts, accountId: string): Promise<number> {
    const where = { accountId, deletedAt: IsNull() };
    const taken = await locked.manager.find(ApiKey, { select: { slot: true }, where });
    const slot = slots.find((candidate) => taken.every((key) => key.slot !== candidate));
    if (slot === undefined) {
      throw conflict('The account already has 5 keys. Delete one before creating another.');
    }
    return slot;
  }
}

/** What a repeated request has to have in common with the first one. */
function contentOf({ name, expires_at, monthly_limit, mode = 'live' }: CreateKeyRequest): string[] {
  const expiry = expires_at ? new Date(expires_at).toISOString() : '';
  return [name, expiry, String(monthly_limit ?? ''), mode];
}

/** Throws `invalid_request` for a time that is not in the future. */
export function expiryOf(expires_at: string | null, now: Date): Date | null {
  if (expires_at === null) return null;
  const expiresAt = new Date(expires_at);
  if (expiresAt.getTime() > now.getTime()) return expiresAt;
  throw invalidField('expires_at', 'expires_at must be in the future', 'A key must expire in the future.');
}

const keysOf = ({ account_id }: CreateKeyRequest): string => `keys of ${account_id}`;
const rotationsOf = ({ key_id }: KeyPath): string => `rotations of ${key_id}`;
