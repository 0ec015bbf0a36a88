import { Injectable } from '@nestjs/common';
import { monthOf, monthSql } from '../ledger/rules/key-budgets.js';
import { NoticeStep } from './notice-step.js';
import { type NewNotice } from './outbox.js';

/**
 * Keys that have spent 80 % of their limit in this month and were not reported so: near it, or at it, when a call was refused for it
 * too. Served by `api_keys_limited`, `charges_of_key` and `notices_once`.
 */
const keysSql = `
  SELECT id, account_id, name, prefix, monthly_limit, spent::float8 AS spent, spent_since, kind, subject FROM (
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

interface LimitedKey {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly monthly_limit: number;
  readonly spent: number;
  readonly spent_since: Date;
  readonly kind: 'key_limit_near' | 'key_limit_reached';
  readonly subject: string;
}

/** Notifies accounts of keys that come near their monthly limit or reach it, once each for a key and month. Locks no account. */
@Injectable()
export class KeyLimitsStep extends NoticeStep<LimitedKey> {
  readonly name = 'key limits';
  /** Less than the minute for which a refused charge is kept. */
  protected readonly checkEveryMs = 30_000;

  protected find(max: number): Promise<LimitedKey[]> {
    return this.database.query<LimitedKey>('select keys near their limit', keysSql, [max]);
  }

  protected noticeOf(key: LimitedKey): NewNotice {
    const { id, account_id: accountId, name, prefix, monthly_limit, spent, kind, subject } = key;
    const resets_at = monthOf(key.spent_since, 1).toISOString();
    const data = { key_id: id, key_name: name, key_prefix: prefix, monthly_limit, spent, resets_at };
    return { accountId, subject, content: { kind, data } };
  }
}
