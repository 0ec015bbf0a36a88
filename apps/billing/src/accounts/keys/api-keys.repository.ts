import { type AuthenticatedKey, ServiceError } from '@app/contracts';
import { type Managed, type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Not, Repository } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { type MemberOfAccount } from '../../people/records/members.repository.js';
import { ApiKey } from './api-key.entity.js';

export type NewKey = Pick<
  ApiKey,
  'id' | 'accountId' | 'name' | 'hash' | 'prefix' | 'slot' | 'expiresAt' | 'createdBy'
>;

/** A key that works, and whether its account owes credits. */
export interface UsableKey extends Pick<AuthenticatedKey, 'key_id' | 'account_id' | 'prefix'> {
  readonly hash: string;
  readonly is_owing: boolean;
  /** `null`: until it is changed. */
  readonly valid_for_ms: number | null;
}

/** Hand-written: a prepared statement for every look-up, served by `api_keys_hash_unique`. One parameter holds all hashes. */
const usableSql = `
  SELECT hash, api_keys.id AS key_id, account_id, prefix, owes_since IS NOT NULL AS is_owing,
    (extract(epoch FROM expires_at - clock.now) * 1000)::float8 AS valid_for_ms
  FROM api_keys JOIN accounts ON accounts.id = account_id CROSS JOIN (SELECT ledger_now() AS now) AS clock
  WHERE hash = ANY($1::text[]) AND active AND deleted_at IS NULL AND suspended_at IS NULL
    AND (expires_at IS NULL OR expires_at > clock.now)`;

/** The columns that can be changed. */
export type KeyChange = Partial<Pick<ApiKey, 'name' | 'active' | 'expiresAt'>>;

/** The keys of accounts. A deleted one is kept for at least 90 days, and found only by `wasDeleted` and `countSince`. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** The usable ones of the keys with these hashes: not one that is deleted, turned off or expired, or whose account is suspended. */
  findUsable({ query }: Queryable, hashes: readonly string[]): Promise<UsableKey[]> {
    return query<UsableKey>('find usable keys', usableSql, [hashes]);
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
  async change({ manager }: Managed, keyId: string, change: KeyChange): Promise<void> {
    if (Object.keys(change).length > 0) await manager.update(ApiKey, { id: keyId }, change);
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
