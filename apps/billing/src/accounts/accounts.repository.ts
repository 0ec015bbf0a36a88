import { ServiceError } from '@app/contracts';
import { type Query } from '../database/query.js';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly created_at: Date;
}

const columns = 'id, name, email, created_at';

export async function insertAccount(
  query: Query,
  id: string,
  name: string,
  email: string,
): Promise<AccountRow> {
  const [row] = await query<AccountRow>(
    `INSERT INTO accounts (id, name, email, created_at) VALUES ($1, $2, $3, ledger_now()) RETURNING ${columns}`,
    [id, name, email],
  );
  if (!row) throw new Error('INSERT gave no row');
  return row;
}

/** Newest first, at most `limit` after the position; served by `accounts_page`. */
export function pageOfAccounts(query: Query, limit: number, after: string[] | null): Promise<AccountRow[]> {
  const [createdAt, id] = after ?? [null, null];
  return query<AccountRow>(
    `SELECT ${columns} FROM accounts
     WHERE $2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid)
     ORDER BY created_at DESC, id DESC LIMIT $1`,
    [limit, createdAt, id],
  );
}

/** Throws `not_found`. */
export async function findAccount(query: Query, id: string): Promise<AccountRow> {
  const row = await findAccountIfAny(query, id);
  if (!row) throw noSuchAccount();
  return row;
}

export async function findAccountIfAny(query: Query, id: string): Promise<AccountRow | undefined> {
  const [row] = await query<AccountRow>(`SELECT ${columns} FROM accounts WHERE id = $1`, [id]);
  return row;
}

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no account with this id.');
}
