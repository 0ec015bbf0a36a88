import { type AuthenticatedKey, ServiceError } from '@app/contracts';
import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, MoreThan, Not, Repository } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { type MemberOfAccount } from '../../people/records/members.repository.js';
import { ApiKey } from './api-key.entity.js';

export type NewKey = Pick<ApiKey, 'id' | 'accountId' | 'name' | 'hash' | 'prefix' | 'slot' | 'createdBy'>;

/** A key that is turned on, and whether its account owes credits. */
export type UsableKey = AuthenticatedKey & { readonly isOwing: boolean };

/** The columns that an operator can change. */
export interface KeyChange {
  readonly name?: string | undefined;
  readonly active?: boolean | undefined;
}

/** The keys of accounts. A deleted one is kept for at least 90 days, and found only by `wasDeleted` and `countSince`. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /**
   * The keys with these hashes; `null` for one that is unknown, deleted or turned off. One parameter holds all
   * hashes, so that the statement's text is constant; served by `api_keys_hash_unique`.
   */
  async findUsable(hashes: readonly string[]): Promise<(UsableKey | null)[]> {
    const keys = await this.keys.find({
      select: { id: true, accountId: true, hash: true, prefix: true, isOwing: true },
      where: { hash: Any(hashes), active: true, deletedAt: IsNull() },
    });
    const found = new Map(
      keys.map(({ hash, id, accountId, prefix, isOwing }) => [
        hash,
        { key_id: id, account_id: accountId, prefix, isOwing },
      ]),
    );
    return hashes.map((hash) => found.get(hash) ?? null);
  }

  /** Oldest first. */
  ofAccount(accountId: string): Promise<ApiKey[]> {
    return this.keys.find({
      where: { accountId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** The ids of the keys in an account that a person has created. */
  async idsCreatedBy({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<string[]> {
    const where = { accountId, createdBy: personId, deletedAt: IsNull() };
    return (await manager.find(ApiKey, { select: { id: true }, where })).map(({ id }) => id);
  }

  /** Throws `not_found`. */
  async get(on: Managed, accountId: string, keyId: string): Promise<ApiKey> {
    const key = await this.find(on, accountId, keyId);
    if (!key) throw noSuchKey();
    return key;
  }

  find({ manager }: Managed, accountId: string, keyId: string): Promise<ApiKey | null> {
    return manager.findOneBy(ApiKey, { id: keyId, accountId, deletedAt: IsNull() });
  }

  /** The slots in use; served by `api_keys_slot_unique`. */
  async takenSlots({ manager }: Managed, accountId: string): Promise<number[]> {
    const keys = await manager.find(ApiKey, {
      select: { slot: true },
      where: { accountId, deletedAt: IsNull() },
    });
    return keys.map(({ slot }) => slot);
  }

  /** Keys created since then, deleted ones too; served by `api_keys_of_account`. */
  countSince({ manager }: Managed, accountId: string, since: Date): Promise<number> {
    return manager.countBy(ApiKey, { accountId, createdAt: MoreThan(since) });
  }

  async insert({ manager, now }: LockedAccounts, key: NewKey): Promise<void> {
    await manager.insert(ApiKey, { ...key, createdAt: now });
  }

  /** Changes nothing when no column is given. */
  async change({ manager }: Managed, keyId: string, { name, active }: KeyChange): Promise<void> {
    const given = { ...(name === undefined ? {} : { name }), ...(active === undefined ? {} : { active }) };
    if (Object.keys(given).length > 0) await manager.update(ApiKey, { id: keyId }, given);
  }

  wasDeleted({ manager }: Managed, keyId: string): Promise<boolean> {
    return manager.existsBy(ApiKey, { id: keyId, deletedAt: Not(IsNull()) });
  }

  /** Replaces the secret of a key; the previous one is no longer accepted. */
  async replaceSecret({ manager }: Managed, keyId: string, hash: string, prefix: string): Promise<void> {
    await manager.update(ApiKey, { id: keyId }, { hash, prefix });
  }

  /** Marks a key as deleted and returns its hash. Throws `not_found`, also for one deleted before. */
  async markDeleted({ manager, now }: LockedAccounts, accountId: string, keyId: string): Promise<string> {
    const alive = { id: keyId, accountId, deletedAt: IsNull() };
    const key = await manager.findOne(ApiKey, { select: { hash: true }, where: alive });
    if (!key) throw noSuchKey();
    await manager.update(ApiKey, { id: keyId }, { deletedAt: now });
    return key.hash;
  }
}

function noSuchKey(): ServiceError {
  return new ServiceError('not_found', 'There is no key with this ID in the account.');
}
