import { type Queryable, type SqlStatement } from '#platform/database';
import { type SpendingChange } from '../rules/key-budgets.js';
import { type KeyBudget, type KeyState } from '../rules/ledger-state.js';

/** Served by `api_keys_pk` and `accounts_pk`. Under the lock of the account, which is held too to suspend it. */
const keysSql = `
  SELECT api_keys.id, account_id, active AND deleted_at IS NULL AND suspended_at IS NULL AS active,
    expires_at, hash, previous_hash, previous_valid_until, monthly_limit, spent::float8 AS spent, spent_since
  FROM api_keys JOIN accounts ON accounts.id = account_id
  WHERE api_keys.id = ANY($1::uuid[])`;

interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly active: boolean;
  readonly expires_at: Date | null;
  readonly hash: string;
  readonly previous_hash: string | null;
  readonly previous_valid_until: Date | null;
  /** These are `null` together. */
  readonly monthly_limit: number | null;
  readonly spent: number | null;
  readonly spent_since: Date | null;
}

function budgetOf(row: Pick<KeyRow, 'monthly_limit' | 'spent' | 'spent_since'>): KeyBudget | null {
  const { monthly_limit: limit, spent, spent_since: since } = row;
  return limit === null || spent === null || since === null ? null : { limit, spent, since };
}

/** What charges need to know of their keys; the accounts are locked. */
export async function loadKeys(
  { query }: Queryable,
  keyIds: readonly string[],
): Promise<Map<string, KeyState>> {
  if (keyIds.length === 0) return new Map();
  const rows = await query<KeyRow>('select keys of charges', keysSql, [keyIds]);
  return new Map(
    rows.map(({ id, account_id: accountId, active, expires_at: expiresAt, ...row }) => {
      const { hash, previous_hash: previousHash, previous_valid_until: previousValidUntil } = row;
      const secrets = { hash, previousHash, previousValidUntil };
      return [id, { accountId, active, expiresAt, secrets, budget: budgetOf(row) }];
    }),
  );
}

/** A month that is over for the key is not counted any more. Served by `api_keys_pk`. */
const addSpendingSql = `
  UPDATE api_keys
  SET spent = greatest(CASE WHEN spent_since = change.month THEN spent ELSE 0 END + change.credits, 0), spent_since = change.month
  FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[]) AS change (key_id, month, credits)
  WHERE api_keys.id = change.key_id AND monthly_limit IS NOT NULL AND spent_since <= change.month`;

/** The statement that adds what keys with a monthly limit have spent, if any. */
export function spendingToAdd(changes: readonly SpendingChange[]): SqlStatement[] {
  if (changes.length === 0) return [];
  const parameters = [
    changes.map((change) => change.keyId),
    changes.map((change) => change.month),
    changes.map((change) => change.credits),
  ];
  return [{ name: 'add spending of keys', sql: addSpendingSql, parameters }];
}
