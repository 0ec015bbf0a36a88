import { type Query } from '../database/query.js';

export interface AgreementRow {
  readonly id: string;
  readonly account_id: string;
  readonly credits: number;
  readonly price_cents: string;
  readonly starts_at: Date;
  /** Due dates that have been granted. */
  readonly grants: number;
  readonly next_due_at: Date | null;
  readonly ended_at: Date | null;
}

const columns = 'id, account_id, credits, price_cents, starts_at, grants, next_due_at, ended_at';

/** The running agreement of an account. */
export async function findRunning(query: Query, accountId: string): Promise<AgreementRow | undefined> {
  const [row] = await query<AgreementRow>(
    `SELECT ${columns} FROM agreements WHERE account_id = $1 AND ended_at IS NULL`,
    [accountId],
  );
  return row;
}

export interface NewAgreement {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly priceCents: number;
  readonly startsAt: Date;
}

export async function insertAgreement(query: Query, agreement: NewAgreement, now: Date): Promise<void> {
  await query(
    `INSERT INTO agreements (id, account_id, credits, price_cents, starts_at, next_due_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $5, $6)`,
    [agreement.id, agreement.accountId, agreement.credits, agreement.priceCents, agreement.startsAt, now],
  );
}

export async function noteGrant(query: Query, id: string, grants: number, nextDueAt: Date): Promise<void> {
  await query('UPDATE agreements SET grants = $2, next_due_at = $3 WHERE id = $1', [id, grants, nextDueAt]);
}

export async function endAgreementAt(query: Query, id: string, endedAt: Date): Promise<void> {
  await query('UPDATE agreements SET ended_at = $2, next_due_at = NULL WHERE id = $1', [id, endedAt]);
}

/** Accounts with a due date that has come; served by `agreements_due`. */
export async function accountsWithDueGrants(
  query: Query,
  limit: number,
  except: string[],
): Promise<string[]> {
  const rows = await query<{ account_id: string }>(
    `SELECT account_id FROM agreements
     WHERE ended_at IS NULL AND next_due_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
     ORDER BY next_due_at LIMIT $1`,
    [limit, except],
  );
  return rows.map((row) => row.account_id);
}
