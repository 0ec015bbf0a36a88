import { type KeyPath, type RotateKeyRequest, ServiceError } from '#contracts';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { IdempotencyKeysRepository } from '../../ledger/idempotency/idempotency-keys.repository.js';
import { AccountsRepository } from '../accounts.repository.js';
import { type ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { type KeyWithSecret } from './key-creation.js';

const hourMs = 3_600_000;
/** Prevents a script from filling the table of Idempotency-Keys, which are kept for a day. */
const rotationsPerDayMax = 100;

/** Gives keys new secrets, once per Idempotency-Key. A key has at most two: the present one, and the one before it for a while. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly idempotencyKeys: IdempotencyKeysRepository,
  ) {}

  /**
   * The present secret becomes the previous one, and the one before that ends at once. If the Idempotency-Key has rotated the key
   * before, the secret of that rotation is replaced instead: its reply may have been lost. `begunAt` is when the caller sent its
   * request. Throws `conflict` when the secret of that rotation can no longer be replaced or the account is suspended, `rate_limited`
   * after 100 rotations in a day, `not_found`.
   */
  async rotate(locked: LockedAccounts, request: RotateKeyRequest, begunAt: Date): Promise<KeyWithSecret> {
    const {
      account_id,
      key_id,
      rotation_id: newId,
      overlap_hours,
      idempotency_key: idempotencyKey,
    } = request;
    await this.accounts.requireNotSuspended(locked, account_id);
    const key = await this.keys.get(locked, account_id, key_id);
    const scope = scopeOf(request);
    const rotation = { scope, idempotencyKey, content: [String(overlap_hours)], newId };
    const made = await this.idempotencyKeys.claim(locked, rotation);
    // A redelivered message.
    if (key.hash === request.key_hash) return { key };
    if (made.id === newId) {
      await this.refuseTooMany(locked, scope);
      return this.replacePresent(locked, key, request);
    }
    if (key.rotatedAt?.getTime() !== made.answeredAt.getTime() || begunAt < made.answeredAt) {
      throw new ServiceError(
        'conflict',
        'The key has got another secret since this Idempotency-Key rotated it. Use a new Idempotency-Key to rotate it again.',
      );
    }
    const { key_hash: hash, prefix } = request;
    await this.keys.replaceSecrets(locked, key_id, { hash, prefix, rotatedAt: locked.now });
    await this.idempotencyKeys.noteAnswer(locked, { scope, idempotencyKey });
    return { key: await this.keys.get(locked, account_id, key_id), replacedHashes: [key.hash] };
  }

  private async replacePresent(
    locked: LockedAccounts,
    key: ApiKey,
    { account_id, key_id, key_hash: hash, prefix, overlap_hours }: RotateKeyRequest,
  ): Promise<KeyWithSecret> {
    const hasOverlap = overlap_hours > 0;
    await this.keys.replaceSecrets(locked, key_id, {
      hash,
      prefix,
      previousHash: hasOverlap ? key.hash : null,
      previousPrefix: hasOverlap ? key.prefix : null,
      previousValidUntil: hasOverlap ? new Date(locked.now.getTime() + overlap_hours * hourMs) : null,
      rotatedAt: locked.now,
    });
    const replacedHashes = [key.hash, ...(key.previousHash === null ? [] : [key.previousHash])];
    return { key: await this.keys.get(locked, account_id, key_id), replacedHashes };
  }

  private async refuseTooMany(locked: LockedAccounts, scope: string): Promise<void> {
    if ((await this.idempotencyKeys.count(locked, scope)) <= rotationsPerDayMax) return;
    throw new ServiceError('rate_limited', 'This key was rotated too often within a day. Try again later.');
  }
}

function scopeOf({ key_id }: KeyPath): string {
  return `rotations of ${key_id}`;
}
