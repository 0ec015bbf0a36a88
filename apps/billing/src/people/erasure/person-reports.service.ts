import { mailboxOf, type PersonReport, type PersonRequest } from '#contracts';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { requireEmail } from '../records/email-addresses.js';

const listMax = 1_000;
/** Below the 5 s after which callers time out. */
const timeoutMs = 4_000;

type Lists = Omit<PersonReport, 'email' | 'person'>;
type ListName = keyof Lists;

/** $1 is the id of the person. Each served by an index on the person. */
const ofPerson = {
  memberships: `
    SELECT account_id, accounts.name AS account_name, role, added_at, last_seen_at
    FROM members JOIN accounts ON accounts.id = account_id WHERE person_id = $1 ORDER BY added_at DESC`,
  identities: `
    SELECT issuer, subject, bound_at, last_used_at FROM identities WHERE person_id = $1 ORDER BY bound_at DESC`,
  sessions: `
    SELECT id, account_id, method, network, user_agent, signed_in_at, last_seen_at, expires_at
    FROM sessions WHERE person_id = $1 ORDER BY signed_in_at DESC`,
  invitations_sent: `
    SELECT account_id, created_at FROM invitations WHERE invited_by = $1 ORDER BY created_at DESC`,
  orders: `
    SELECT id, account_id, pack, state, ordered_at FROM orders WHERE person_id = $1 ORDER BY ordered_at DESC`,
  keys: `
    SELECT id, account_id, name, prefix, created_at, deleted_at FROM api_keys WHERE created_by = $1
    ORDER BY created_at DESC`,
  mails: `
    SELECT deliveries.account_id, notices.kind, state, problem, deliveries.created_at
    FROM deliveries JOIN notices ON notices.id = notice_id WHERE person_id = $1 ORDER BY deliveries.created_at DESC`,
} as const;

const personSql = 'SELECT id, created_at FROM people WHERE email_folded = $1';

/** $1 is the address, $2 its mailbox. Served by `accounts_of_address`, `sign_ins_of_address` and `invitations_of_mailbox`. */
const ofAddress = {
  accounts: `
    SELECT id, name, created_at, signed_up_from FROM accounts WHERE email = $1 AND $2::text IS NOT NULL ORDER BY created_at DESC`,
  sign_ins: `
    SELECT created_at, used_at, attempts FROM sign_ins WHERE email_folded = $1 AND $2::text IS NOT NULL
    ORDER BY created_at DESC`,
  invitations: `
    SELECT account_id, role, created_at, ended_at FROM invitations WHERE mailbox = $2 AND email_folded = $1
    ORDER BY created_at DESC`,
} as const;

/** What is held about people, for their right to know it. */
@Injectable()
export class PersonReports {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  /** Throws `invalid_request` for what is no address. */
  report({ email }: PersonRequest): Promise<PersonReport> {
    const emailFolded = requireEmail(email);
    return this.reports.snapshot((snapshot) => this.read(snapshot, emailFolded), { timeoutMs });
  }

  private async read(snapshot: Queryable, emailFolded: string): Promise<PersonReport> {
    const [person] = await rowsOf<{ id: string; created_at: string }>(snapshot, 'report person', personSql, [
      emailFolded,
    ]);
    const lists: Partial<Record<ListName, object[]>> = {};
    for (const [name, sql] of Object.entries(ofAddress)) {
      lists[name as ListName] = await rowsOf(snapshot, `report ${name as ListName}`, sql, [
        emailFolded,
        mailboxOf(emailFolded),
      ]);
    }
    for (const [name, sql] of Object.entries(ofPerson)) {
      lists[name as ListName] = person
        ? await rowsOf(snapshot, `report ${name as ListName}`, sql, [person.id])
        : [];
    }
    return { email: emailFolded, person: person ?? null, ...(lists as Lists) };
  }
}

/** Rows whose times are texts, ISO 8601 UTC. */
async function rowsOf<Row extends object>(
  { query }: Queryable,
  name: `report ${ListName | 'person'}`,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  const rows = await query<Row>(name, `${sql} LIMIT ${listMax}`, parameters);
  return rows.map((row) => {
    const texts = Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]);
    return Object.fromEntries(texts) as Row;
  });
}
