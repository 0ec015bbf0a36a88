import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { minuteMs } from '../durations.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { monthSql } from '../ledger/rules/key-budgets.js';
import { type SweepStep } from '../schedule/sweep.service.js';
import { Notice, type NoticeContent } from './notice.entity.js';
import { NoticeSetting } from './notice-setting.entity.js';
import { Outbox } from './outbox.js';

/** Notices that one run of a step stores at most. */
const noticesMax = 100;
/** A low balance is notified of at most this often. */
const lowBalanceEveryMs = 60 * minuteMs;

/** SQL for the text of a time in notices; `utc`: SQL for a timestamp without a time zone. */
const isoSql = (utc: string): string => `to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Served by `lots_to_expire` and `notices_once`. */
const expiringLotsSql = `
  SELECT lots.account_id, lots.id::text AS subject, 'lot_expiring' AS kind, jsonb_build_object(
    'lot_id', lots.id, 'pack', lots.pack, 'remaining', remaining, 'expires_at', ${isoSql(`expires_at AT TIME ZONE 'UTC'`)}
  ) AS data FROM lots
  LEFT JOIN notice_settings AS settings ON settings.account_id = lots.account_id
  WHERE is_open AND remaining > 0 AND expires_at > (SELECT ledger_now())
    AND expires_at <= (SELECT ledger_now()) + interval '3 days'
    AND COALESCE(settings.notify_on_expiry, true)
    AND NOT EXISTS (
      SELECT FROM notices
      WHERE notices.account_id = lots.account_id AND kind = 'lot_expiring' AND subject = lots.id::text
    )
  ORDER BY expires_at LIMIT $1`;

/**
 * Keys that have spent 80 % of their limit in this month and were not reported so: near it, or at it, when a call was refused for it
 * too. Served by `api_keys_limited`, `charges_of_key` and `notices_once`.
 */
const keyLimitsSql = `
  SELECT account_id, subject, kind, jsonb_build_object(
    'key_id', id, 'key_name', name, 'key_prefix', prefix, 'monthly_limit', monthly_limit, 'spent', spent,
    'resets_at', ${isoSql(`spent_since AT TIME ZONE 'UTC' + interval '1 month'`)}
  ) AS data FROM (
    SELECT api_keys.*, id || ' ' || to_char(spent_since AT TIME ZONE 'UTC', 'YYYY-MM') AS subject,
      CASE WHEN spent >= monthly_limit OR EXISTS (
        SELECT FROM charges
        WHERE charges.key_id = api_keys.id AND charges.created_at > (SELECT ledger_now()) - interval '1 minute'
          AND state = 'refused' AND refusal = 'key_limit_reached'
      ) THEN 'key_limit_reached' ELSE 'key_limit_near' END AS kind
    FROM api_keys
    WHERE monthly_limit IS NOT NULL AND deleted_at IS NULL
      AND spent_since >= ${monthSql('(SELECT ledger_now())')} AND spent * 5 >= monthly_limit::bigint * 4
  ) AS keys
  WHERE NOT EXISTS (
    SELECT FROM notices
    WHERE notices.account_id = keys.account_id AND notices.kind IN (keys.kind, 'key_limit_reached')
      AND notices.subject = keys.subject
  )
  ORDER BY id LIMIT $1`;

/** Settings with a threshold that was not checked since `$1`. Served by `notice_settings_to_check`; replicas share the accounts. */
const balancesToCheckSql = `
  SELECT account_id, balance_threshold AS threshold, is_balance_low AS was_low FROM notice_settings
  WHERE balance_threshold IS NOT NULL AND balance_checked_at <= $1
  ORDER BY balance_checked_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

type NoticeRow = NoticeContent & { readonly account_id: string; readonly subject: string };

/** Finds reasons to notify accounts, each once; pauses when there are none left. Locks no account. */
@Injectable()
abstract class NoticeStep implements SweepStep {
  abstract readonly name: Lowercase<string>;
  /** Selects at most `$1` notices that are not stored yet. */
  protected abstract readonly sql: string;
  /** Time until the next check after one that found nothing. */
  protected abstract readonly checkEveryMs: number;
  private nextCheckAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly outbox: Outbox,
  ) {}

  async run(batchSize: number): Promise<number> {
    if (performance.now() < this.nextCheckAt) return 0;
    const notified = await this.notify(Math.min(batchSize, noticesMax));
    if (notified === 0) this.nextCheckAt = performance.now() + this.checkEveryMs;
    return notified;
  }

  /** Stores at most `max` notices, each in its own transaction; resolves to their number. */
  async notify(max: number): Promise<number> {
    const rows = await this.database.query<NoticeRow>(this.name, this.sql, [max]);
    for (const { account_id: accountId, ...notice } of rows) {
      await this.transactions.run([], (locked) => this.outbox.write(locked, { ...notice, accountId }));
    }
    return rows.length;
  }
}

/** Notifies accounts three days before a lot with credits left expires, once for each lot. */
@Injectable()
export class ExpiringLotsStep extends NoticeStep {
  readonly name = 'expiring lots';
  protected readonly sql = expiringLotsSql;
  protected readonly checkEveryMs = minuteMs;
}

/** Notifies accounts of keys that come near their monthly limit or reach it, once each for a key and month. */
@Injectable()
export class KeyLimitsStep extends NoticeStep {
  readonly name = 'key limits';
  protected readonly sql = keyLimitsSql;
  /** Less than the minute for which a refused charge is kept. */
  protected readonly checkEveryMs = minuteMs / 2;
}

interface ThresholdRow {
  readonly account_id: string;
  readonly threshold: number;
  readonly was_low: boolean;
}

/**
 * Notifies accounts whose balance has fallen below their threshold, at most once an hour however the threshold or the balance
 * change. Checks each of them once a minute and locks no account, so that charges neither work nor wait for it.
 */
@Injectable()
export class BalanceNoticesStep implements SweepStep {
  readonly name = 'balance notices';

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly balances: BalanceRepository,
    private readonly outbox: Outbox,
  ) {}

  run(batchSize: number): Promise<number> {
    return this.transactions.run([], async (locked) => {
      const { manager, query, now } = locked;
      const bounds = [new Date(now.getTime() - minuteMs), Math.min(batchSize, noticesMax)];
      const rows = await query<ThresholdRow>('select balances to check', balancesToCheckSql, bounds);
      if (rows.length === 0) return 0;
      const ids = rows.map(({ account_id }) => account_id);
      const balances = await this.balances.balancesAt(locked, ids, now);
      for (const row of rows) await this.check(locked, row, balances.get(row.account_id) ?? 0);
      await manager.update(NoticeSetting, { accountId: In(ids) }, { balanceCheckedAt: now });
      return rows.length;
    });
  }

  private async check(locked: LockedAccounts, row: ThresholdRow, credits_remaining: number): Promise<void> {
    const { account_id: accountId, threshold, was_low } = row;
    const { manager, now } = locked;
    const isBalanceLow = credits_remaining < threshold;
    if (isBalanceLow === was_low) return;
    // Served by `notices_once`. Not marked as low then, so that the account is notified after the hour if the balance is still low.
    const createdAt = MoreThan(new Date(now.getTime() - lowBalanceEveryMs));
    const recent = { accountId, kind: 'balance_low', createdAt } as const;
    if (isBalanceLow && (await manager.existsBy(Notice, recent))) return;
    await manager.update(NoticeSetting, { accountId }, { isBalanceLow });
    if (!isBalanceLow) return;
    const data = { credits_remaining, threshold };
    await this.outbox.write(locked, { accountId, subject: now.toISOString(), kind: 'balance_low', data });
  }
}
