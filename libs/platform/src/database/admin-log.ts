import { type AdminAction, type AdminLogEntry, type ListAdminLogRequest, type Operator } from '#contracts';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AdminLogRow } from './admin-log.entity.js';
import { type Managed, type Queryable } from './query.js';

/** An operator and the HTTP request by which they asked for a change. */
export interface OperatorsRequest extends Operator {
  readonly requestId: string;
}

/** A change for the log; `before` and `after` are what the admin API shows, so that they hold no secret. */
export interface AdminChange {
  readonly action: AdminAction;
  /** The changed thing: an id, a slug, an address. */
  readonly subject: string;
  readonly account_id?: string;
  readonly before?: object;
  readonly after?: object;
}

/** Adds an entry in the transaction of the change itself: neither is ever committed without the other. */
export async function recordChange(
  { manager }: Managed,
  { id: token_id, name: token, requestId: request_id }: OperatorsRequest,
  change: AdminChange,
): Promise<void> {
  await manager.insert(AdminLogRow, { id: uuidv7(), token_id, token, request_id, ...change });
}

/**
 * Hand-written: each text, as a string of JSON or as the subject, becomes "erased" wherever it is. Reads the whole log, because
 * that is rare and no index would serve it.
 */
const eraseSql = `
  UPDATE admin_log SET
    subject = CASE WHEN subject = ANY($1::text[]) THEN 'erased' ELSE subject END,
    before = erase_texts(before, $1::text[]), after = erase_texts(after, $1::text[]), erased_at = clock_timestamp()
  WHERE subject = ANY($1::text[])
    OR before IS DISTINCT FROM erase_texts(before, $1::text[]) OR after IS DISTINCT FROM erase_texts(after, $1::text[])
  RETURNING id`;

/** Hand-written: as above; served by `admin_log_of_account`. */
const eraseAccountsSql = `
  UPDATE admin_log SET before = NULL, after = NULL, erased_at = clock_timestamp()
  WHERE account_id = ANY($1::uuid[]) AND action LIKE 'account.%' AND num_nonnulls(before, after) > 0
  RETURNING id`;

/** Hand-written: as above; served by `admin_log_of_subject`. */
const eraseCreatorsSql = `
  UPDATE admin_log SET subject = 'erased', before = NULL, after = NULL, erased_at = clock_timestamp()
  WHERE subject = ANY($1::text[]) AND action LIKE 'creator.%'`;

/** The log of a service: what operators changed in its database. */
@Injectable()
export class AdminLogRepository {
  /** Newest first; served by the index of the account, of the subject, or by the primary key. */
  async page({ manager }: Managed, request: ListAdminLogRequest): Promise<AdminLogEntry[]> {
    const { limit, cursor, account_id, subject, action, token } = request;
    const rows = manager.createQueryBuilder(AdminLogRow, 'entry').orderBy('entry.id', 'DESC').limit(limit);
    if (cursor !== undefined) rows.andWhere('entry.id < :cursor', { cursor });
    if (account_id !== undefined) rows.andWhere('entry.account_id = :account_id', { account_id });
    if (subject !== undefined) rows.andWhere('entry.subject = :subject', { subject });
    if (action !== undefined) rows.andWhere('entry.action = :action', { action });
    if (token !== undefined) rows.andWhere('entry.token = :token', { token });
    return (await rows.getMany()).map(toEntry);
  }

  /** Replaces personal texts, for example an address and a name, in every entry; says in how many. The entries stay. */
  async erase({ query }: Queryable, texts: readonly string[]): Promise<number> {
    return (await query('erase texts of admin log', eraseSql, [texts])).length;
  }

  /** Erases what the entries about accounts themselves say of them, such as their names; says in how many. The entries stay. */
  async eraseAccounts({ query }: Queryable, accountIds: readonly string[]): Promise<number> {
    return (await query('erase accounts of admin log', eraseAccountsSql, [accountIds])).length;
  }

  /** Keeps that operators changed these creators, by whom and when, not which creators and how. */
  async eraseCreators({ query }: Queryable, slugs: readonly string[]): Promise<void> {
    await query('erase creators of admin log', eraseCreatorsSql, [slugs]);
  }
}

function toEntry(row: AdminLogRow): AdminLogEntry {
  return { ...row, at: row.at.toISOString(), erased_at: row.erased_at?.toISOString() ?? null };
}

/**
 * The table of the log, in the database of each service. An entry is only changed to erase personal data in it: subject, before
 * and after, and then it says when.
 */
export const createAdminLog: readonly string[] = [
  `CREATE TABLE admin_log (
    id uuid CONSTRAINT admin_log_pk PRIMARY KEY,
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    token_id uuid,
    token_name text NOT NULL,
    action text NOT NULL,
    request_id text NOT NULL,
    account_id uuid,
    subject text NOT NULL,
    before jsonb,
    after jsonb,
    erased_at timestamptz(3)
  )`,
  'CREATE INDEX admin_log_of_account ON admin_log (account_id, id) WHERE account_id IS NOT NULL',
  'CREATE INDEX admin_log_of_subject ON admin_log (subject, id)',
  `CREATE FUNCTION erase_texts(value jsonb, texts text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    erased text := value::text;
    given text;
  BEGIN
    FOREACH given IN ARRAY texts LOOP
      erased := replace(erased, to_json(given)::text, '"erased"');
    END LOOP;
    RETURN erased::jsonb;
  END $$`,
  `CREATE FUNCTION guard_admin_log() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kept text[] := ARRAY['subject', 'before', 'after', 'erased_at'];
  BEGIN
    IF TG_OP <> 'UPDATE' THEN
      RAISE EXCEPTION 'admin_log is append-only';
    END IF;
    IF NEW.erased_at IS NULL OR to_jsonb(NEW) - kept <> to_jsonb(OLD) - kept THEN
      RAISE EXCEPTION 'admin_log is append-only: only personal data in it can be erased';
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER admin_log_append_only BEFORE UPDATE OR DELETE ON admin_log
    FOR EACH ROW EXECUTE FUNCTION guard_admin_log()`,
  `CREATE TRIGGER admin_log_not_truncated BEFORE TRUNCATE ON admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION guard_admin_log()`,
];
