import {
  type AuthenticatedKey,
  type CreatedKey,
  keyChanged,
  type KeyPath,
  type KeyView,
  ServiceError,
  type UpdateKeyRequest,
} from '@app/contracts';
import { displayPrefix, generateApiKey, hashApiKey } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { findAccount, noSuchAccount } from '../accounts/accounts.repository.js';
import { withLockedAccounts } from '../database/locked-accounts.js';
import { readingFrom } from '../database/query.js';
import {
  changeKey,
  findKey,
  findUsableKeys,
  insertKey,
  type KeyRow,
  keysOfAccount,
  markDeleted,
  takenSlots,
} from './api-keys.repository.js';

const slots = [1, 2, 3, 4, 5];

/** Keys (spec 2.5). Only their hash is stored; a key itself appears once, in the reply to its creation. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly services: ServiceClient,
  ) {}

  /** The keys with these hashes, each `null` unless it may be used. */
  authenticate(keyHashes: readonly string[]): Promise<(AuthenticatedKey | null)[]> {
    return findUsableKeys(readingFrom(this.dataSource), keyHashes);
  }

  /** Raises `conflict` for a 6th key, however many are asked for at once, and `not_found` without the account. */
  create(accountId: string, name: string): Promise<CreatedKey> {
    const key = generateApiKey();
    return withLockedAccounts(this.dataSource, [accountId], async ({ query, now, accountIds }) => {
      if (!accountIds.has(accountId)) throw noSuchAccount();
      const taken = await takenSlots(query, accountId);
      const slot = slots.find((candidate) => !taken.includes(candidate));
      if (slot === undefined) {
        throw new ServiceError(
          'conflict',
          'The account has 5 keys already; delete one to make room for another.',
        );
      }
      const stored = {
        id: uuidv7(),
        accountId,
        name,
        hash: hashApiKey(key),
        prefix: displayPrefix(key),
        slot,
      };
      await insertKey(query, stored, now);
      return { ...toView(await findKey(query, accountId, stored.id)), key };
    });
  }

  /** Oldest first, deleted ones left out. Raises `not_found` without the account. */
  async list(accountId: string): Promise<KeyView[]> {
    const query = readingFrom(this.dataSource);
    await findAccount(query, accountId);
    return (await keysOfAccount(query, accountId)).map(toView);
  }

  async show({ account_id, key_id }: KeyPath): Promise<KeyView> {
    return toView(await findKey(readingFrom(this.dataSource), account_id, key_id));
  }

  /** Renames a key or switches it on or off: once this has been committed, no call of the key is charged. */
  async update({ account_id, key_id, name, active }: UpdateKeyRequest): Promise<KeyView> {
    const key = await withLockedAccounts(this.dataSource, [account_id], async ({ query }) => {
      await findKey(query, account_id, key_id);
      await changeKey(query, key_id, { name, active });
      return findKey(query, account_id, key_id);
    });
    if (active !== undefined) await this.announce(key_id, key.hash);
    return toView(key);
  }

  /** Deleting it again succeeds too, and is announced again: the process may have ended between the two. */
  async remove({ account_id, key_id }: KeyPath): Promise<void> {
    const hash = await withLockedAccounts(this.dataSource, [account_id], ({ query, now }) =>
      markDeleted(query, account_id, key_id, now),
    );
    await this.announce(key_id, hash);
  }

  /** Only the fast path: gateways ask again within a second anyway, so a lost announcement is no failure. */
  private async announce(keyId: string, keyHash: string): Promise<void> {
    try {
      await this.services.broadcast(keyChanged, { key_id: keyId, key_hash: keyHash });
    } catch (error) {
      this.logger.warn(new Error('a changed key was not announced', { cause: error }));
    }
  }
}

function toView(row: KeyRow): KeyView {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    active: row.active,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
