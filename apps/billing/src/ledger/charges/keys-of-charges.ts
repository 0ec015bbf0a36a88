import { activeKeySql, type KeyBudget, type KeyState } from '../rules/ledger-state.js';

/** Served by `api_keys_pk` and `accounts_pk`. Under the lock of the account, which is held too to suspend it. */
export const keysSql = `
  SELECT api_keys.id, account_id, ${activeKeySql} AS active,
    expires_at, hash, previous_hash, previous_valid_until, monthly_limit, spent::float8 AS spent, spent_since
  FROM api_keys JOIN accounts ON accounts.id = account_id
  WHERE api_keys.id = ANY($3::uuid[])`;

/** As JSON. */
export interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly active: boolean;
  readonly expires_at: string | null;
  readonly hash: string;
  readonly previous_hash: string | null;
  readonly previous_valid_until: string | null;
  /** These are `null` together. */
  readonly monthly_limit: number | null;
  readonly spent: number | null;
  readonly spent_since: string | null;
}

function budgetOf(row: Pick<KeyRow, 'monthly_limit' | 'spent' | 'spent_since'>): KeyBudget | null {
  const { monthly_limit: limit, spent, spent_since: since } = row;
  return limit === null || spent === null || since === null ? null : { limit, spent, since: new Date(since) };
}

export function keysByIdOf(rows: readonly KeyRow[]): Map<string, KeyState> {
  return new Map(
    rows.map((row) => {
      const { hash, previous_hash: previousHash, previous_valid_until: previousValidUntil } = row;
      const secrets = { hash, previousHash, previousValidUntil: dateOf(previousValidUntil) };
      const { id, account_id: accountId, active } = row;
      return [id, { accountId, active, expiresAt: dateOf(row.expires_at), secrets, budget: budgetOf(row) }];
    }),
  );
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
