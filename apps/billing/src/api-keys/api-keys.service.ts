import {
  type AuthenticatedKey,
  createKey,
  type CreateKeyReply,
  type CreateKeyRequest,
  keyChanged,
  type KeyPath,
  type KeyView,
  type UpdateKeyRequest,
} from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { findAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts, withLockedAccounts } from '../database/locked-accounts.js';
import { autocommitQuery } from '../database/query.js';
import {
  changeKey,
  findKey,
  findUsableKeys,
  type KeyRow,
  keysOfAccount,
  markDeleted,
} from './api-keys.repository.js';
import { createKeyLocked } from './create-key.js';

/** Of a caller that has just asked and does not give up before the deadline of the message. */
const unlimited: RemainingMs = () => createKey.deadlineMs;

/** Keys (spec 2.5). Only their hash is stored and known here; a key itself appears once, in the gateway's answer. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly services: ServiceClient,
  ) {}

  /** The keys with these hashes, each `null` unless it may be used. */
  authenticate(keyHashes: readonly string[]): Promise<(AuthenticatedKey | null)[]> {
    return findUsableKeys(autocommitQuery(this.dataSource), keyHashes);
  }

  /**
   * Makes one key for an Idempotency-Key, however often and by however many it is asked for; what an earlier request has made
   * gets the new secret. Throws `conflict` for a 6th key, for other content, and when the key of the earlier request was used
   * or deleted; `not_found` without the account.
   */
  async create(request: CreateKeyRequest, remainingMs: RemainingMs = unlimited): Promise<CreateKeyReply> {
    const create = (locked: LockedAccounts) =>
      createKeyLocked(locked, request, new Date(locked.now.getTime() - ageOf(remainingMs)));
    const made = await withLockedAccounts(this.dataSource, [request.account_id], create, { remainingMs });
    if (made.replacedHash !== undefined) await this.announce(made.row.id, made.replacedHash);
    return { created: made.row.id === request.key_id, key: toView(made.row) };
  }

  /** Oldest first, deleted ones left out. Throws `not_found` without the account. */
  async list(accountId: string): Promise<KeyView[]> {
    const query = autocommitQuery(this.dataSource);
    await findAccount(query, accountId);
    return (await keysOfAccount(query, accountId)).map(toView);
  }

  async show({ account_id, key_id }: KeyPath): Promise<KeyView> {
    return toView(await findKey(autocommitQuery(this.dataSource), account_id, key_id));
  }

  /** Renames a key or switches it on or off: once this has been committed, no call of the key is charged. */
  async update(
    { account_id, key_id, name, active }: UpdateKeyRequest,
    remainingMs?: RemainingMs,
  ): Promise<KeyView> {
    const change = async ({ query }: LockedAccounts): Promise<KeyRow> => {
      await findKey(query, account_id, key_id);
      await changeKey(query, key_id, { name, active });
      return findKey(query, account_id, key_id);
    };
    const key = await withLockedAccounts(this.dataSource, [account_id], change, { remainingMs });
    if (active !== undefined) await this.announce(key_id, key.hash);
    return toView(key);
  }

  /** Deleting it again succeeds too, and is announced again: the process may have ended between the two. */
  async remove({ account_id, key_id }: KeyPath, remainingMs?: RemainingMs): Promise<void> {
    const hash = await withLockedAccounts(
      this.dataSource,
      [account_id],
      ({ query, now }) => markDeleted(query, account_id, key_id, now),
      { remainingMs },
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

/** How long ago the caller asked; a caller that waits for less time than the message allows counts as one that asked earlier. */
function ageOf(remainingMs: RemainingMs): number {
  return createKey.deadlineMs - remainingMs();
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
