import { type AuthenticatedKey, type KeyLimit, ServiceError } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { invalidField, notFound } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { type MemberOfAccount } from '../../people/records/members.repository.js';
import { keyLimitOf, monthSql } from '../../ledger/rules/key-budgets.js';
import { activeKeySql } from '../../ledger/rules/ledger-state.js';
import { ApiKey, spentThisMonthSql } from './api-key.entity.js';

/** The monthly limit of a key at an instant; `null`s without one. */
interface LimitColumns {
  readonly monthly_limit: number | null;
  readonly spent: number | null;
  readonly now: Date;
}

/** A usable key. */
type UsableKey = Omit<AuthenticatedKey, 'credits_remaining'>;

interface UsableRow extends LimitColumns, Omit<UsableKey, 'valid_for_ms'> {
  /** `null`: until it is changed. */
  readonly valid_for_ms: number | null;
}

/**
 * Hand-written: a prepared statement for every look-up, served by `api_keys_hash_unique` and `api_keys_previous_hash`.
 */
const usableSql = `
  SELECT secrets.id AS key_id, account_id, mode, prefix,
    (extract(epoch FROM ends_at - clock.now) * 1000)::float8 AS valid_for_ms, clock.now, monthly_limit, ${spentThisMonthSql('secrets')} AS spent
  FROM (
    SELECT id, account_id, hash, mode, prefix, active, deleted_at, monthly_limit, spent, spent_since, expires_at AS ends_at
    FROM api_keys WHERE hash = $1
    UNION ALL
    SELECT id, account_id, previous_hash, mode, previous_prefix, active, deleted_at, monthly_limit, spent, spent_since, least(expires_at, previous_valid_until)
    FROM api_keys WHERE previous_hash = $1
  ) AS secrets
  JOIN accounts ON accounts.id = account_id CROSS JOIN (SELECT ledger_now() AS now) AS clock
  WHERE ${activeKeySql} AND (ends_at IS NULL OR ends_at > clock.now)`;

/** Served by `api_keys_pk`. */
const keyLimitSql = `
  SELECT monthly_limit, ${spentThisMonthSql('api_keys')} AS spent, ledger_now() AS now
  FROM api_keys WHERE id = $1 AND account_id = $2`;

function toKeyLimit({ monthly_limit: limit, spent, now }: LimitColumns): KeyLimit | undefined {
  return limit === null || spent === null ? undefined : keyLimitOf({ limit, spent }, now);
}

/** Served by `charges_of_key` and, for pending ones, by `charges_pending_of_account`; called under the lock of the account. */
const limitSql = `
  UPDATE api_keys SET monthly_limit = $2, spent_since = month.start, spent = (
    SELECT COALESCE(sum(credits), 0) FROM charges
    WHERE key_id = api_keys.id AND account_id = api_keys.account_id AND created_at >= month.start
      AND ${monthSql('created_at')} = month.start AND state IN ('pending', 'posted')
  )
  FROM (SELECT ${monthSql('$3::timestamptz')} AS start) AS month
  WHERE id = $1`;

/** The keys of accounts. A deleted one is kept for at least 90 days, and not found here. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** The key with this hash of a secret, if it is usable: not deleted, turned off or expired, nor its account suspended. */
  async findUsable({ query }: Queryable, hash: string): Promise<UsableKey | undefined> {
    const [row] = await query<UsableRow>('find usable key', usableSql, [hash]);
    if (!row) return undefined;
    const { monthly_limit, spent, now, valid_for_ms, ...key } = row;
    const key_limit = toKeyLimit({ monthly_limit, spent, now });
    return { ...key, ...(key_limit && { key_limit }), ...(valid_for_ms !== null && { valid_for_ms }) };
  }

  /** The monthly limit of a key; `undefined` without one, or without such a key. */
  async limitOf({ query }: Queryable, accountId: string, keyId: string): Promise<KeyLimit | undefined> {
    const [row] = await query<LimitColumns>('select key limit', keyLimitSql, [keyId, accountId]);
    return row && toKeyLimit(row);
  }

  /** Oldest first. */
  ofAccount(accountId: string): Promise<ApiKey[]> {
    return this.keys.find({
      where: { accountId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** The keys in an account that a person has created. */
  createdBy({ manager }: Managed, { accountId, personId }: MemberOfAccount): Promise<ApiKey[]> {
    return manager.findBy(ApiKey, { accountId, createdBy: personId, deletedAt: IsNull() });
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

  /**
   * Limits what a key spends in a month, what it has spent in this one included; `null`: no limit. Throws
   * `invalid_request` for a limit of a test key.
   */
  async limit({ manager, query, now }: LockedAccounts, key: ApiKey, limit: number | null): Promise<void> {
    if (limit !== null && key.mode === 'test') {
      const problem = 'monthly_limit must not be set: a test key spends no credits';
      const message = 'A test key has no monthly limit, because it spends no credits.';
      throw invalidField('monthly_limit', problem, message);
    }
    if (limit === null) {
      await manager.update(ApiKey, { id: key.id }, { monthlyLimit: null, spent: null, spentSince: null });
    } else if (key.monthlyLimit === null) {
      await query('limit key', limitSql, [key.id, limit, now]);
    } else {
      await manager.update(ApiKey, { id: key.id }, { monthlyLimit: limit });
    }
  }

  async markDeleted({ manager, now }: LockedAccounts, { id }: ApiKey): Promise<void> {
    await manager.update(ApiKey, { id }, { deletedAt: now });
  }
}

function noSuchKey(): ServiceError {
  return notFound('There is no key with this ID in the account.');
}
