import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../schedule/account-sweep-step.js';
import { unusedForMs } from './accounts.repository.js';

/** Interval between checks of an account in use. */
const checkedEveryMs = 7 * 24 * 60 * 60 * 1_000;

/** Served by `accounts_to_check`. */
const dueSql = `
  SELECT id AS account_id FROM accounts
  WHERE next_check_at <= (SELECT ledger_now()) AND id <> ALL($2::uuid[])
  ORDER BY next_check_at LIMIT $1`;

/**
 * A sign-in locks its member until its session is committed: this waits for it, so the next statements see that session. A later
 * sign-in waits for the end of this transaction, and then finds no member.
 */
const lockMembersSql = `
  SELECT FROM members WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, person_id FOR UPDATE`;

const isIn = (...tables: string[]): string =>
  tables.map((table) => `EXISTS (SELECT FROM ${table} WHERE account_id = accounts.id)`).join(' OR ');

/** Records that are never deleted: such an account is not checked again. Charges that took credits have lots. */
const hasHadCredits = isIn('lots', 'adjustments', 'agreements');

/** Records that may be deleted later, each served by an index on its account. A deleted key without charges does not count. */
const isCalled = isIn('charges', 'charge_tombstones', 'free_calls');
const isReferredTo = `${isCalled} OR ${isIn('notices', 'orders', 'sessions', 'sign_ins')}`;

/** Whether a member was signed in recently, to any of their accounts; sessions last for less than `unusedForMs`. */
const isSeen = `
  EXISTS (
    SELECT FROM members AS own
    WHERE own.account_id = accounts.id AND (
      EXISTS (SELECT FROM sessions WHERE sessions.person_id = own.person_id)
      OR EXISTS (
        SELECT FROM members AS seen
        WHERE seen.person_id = own.person_id AND seen.last_seen_at > $4
      )
    )
  )`;

/** One that has had credits is not checked again. */
const keepSql = `
  UPDATE accounts SET next_check_at = CASE WHEN ${hasHadCredits} THEN NULL ELSE $3::timestamptz END
  WHERE id = ANY($1::uuid[]) AND next_check_at <= $2
    AND (
      ${hasHadCredits} OR ${isReferredTo} OR ${isSeen}
      OR EXISTS (SELECT FROM api_keys WHERE account_id = accounts.id AND deleted_at IS NULL)
    )
  RETURNING id`;

/** Deletes the accounts that the statement before has not kept. Foreign keys refuse one that anything else refers to. */
const deleteSql = `
  WITH unused AS (
    SELECT id FROM accounts WHERE id = ANY($1::uuid[]) AND next_check_at <= $2
  ), keys AS (
    DELETE FROM api_keys WHERE account_id IN (SELECT id FROM unused)
  ), sent AS (
    DELETE FROM invitations WHERE account_id IN (SELECT id FROM unused)
  ), settings AS (
    DELETE FROM notice_settings WHERE account_id IN (SELECT id FROM unused)
  ), memberships AS (
    DELETE FROM members WHERE account_id IN (SELECT id FROM unused)
  )
  DELETE FROM accounts WHERE id IN (SELECT id FROM unused) RETURNING id`;

/**
 * Deletes accounts that were opened by sign-up, never had credits, a call, an order or a live key, and whose members were not
 * signed in for 90 days. Accounts that operators created are never deleted.
 */
@Injectable()
export class UnusedAccountsStep extends AccountSweepStep {
  readonly name = 'unused accounts';
  protected readonly dueSql = dueSql;

  protected async apply({ query, now, accountIds }: LockedAccounts): Promise<number> {
    const ids = [...accountIds];
    await query('lock members', lockMembersSql, [ids]);
    const [nextCheck, seenSince] = [checkedEveryMs, -unusedForMs].map((ms) => new Date(now.getTime() + ms));
    const kept = await query('keep accounts', keepSql, [ids, now, nextCheck, seenSince]);
    const deleted = await query('delete accounts', deleteSql, [ids, now]);
    return kept.length + deleted.length;
  }
}
