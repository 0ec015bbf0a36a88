import { type DeliveryView } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { readClock } from '../database/account-transactions.js';
import { type NoticeContent } from './notice.entity.js';
import { Delivery } from './delivery.entity.js';

/** Longer than any attempt takes: after this, the replica that made the attempt is considered dead. */
export const leaseMs = 120_000;

/** Attempts of one account in progress at once in each channel, over all replicas. */
const attemptsOfAccountMax = 2;

/**
 * Hand-written: claims due deliveries of one channel and reads the present settings that an attempt needs. Served by
 * `deliveries_waiting`. An account gets at most two, counting its attempts in progress (`deliveries_in_progress`), so that hanging
 * deliveries of one account never delay others. A replica that claims at the same time chooses the same rows and skips them as
 * locked, so the limit holds for both together.
 */
const claimSql = `
  WITH ranked AS (
    SELECT id, account_id, next_attempt_at,
      row_number() OVER (PARTITION BY account_id ORDER BY next_attempt_at, id) AS place
    FROM deliveries
    WHERE state = 'waiting' AND channel = $1 AND next_attempt_at <= $2::timestamptz
  ), in_progress AS (
    SELECT account_id, count(*) AS attempts FROM deliveries
    WHERE channel = $1 AND attempt_until > $2::timestamptz AND account_id IN (SELECT account_id FROM ranked)
    GROUP BY account_id
  ), due AS (
    SELECT id FROM deliveries
    WHERE id IN (
      SELECT ranked.id FROM ranked LEFT JOIN in_progress USING (account_id)
      WHERE place <= ${attemptsOfAccountMax} - COALESCE(in_progress.attempts, 0)
      ORDER BY next_attempt_at LIMIT $3
    )
    AND state = 'waiting' AND next_attempt_at <= $2::timestamptz
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $4::timestamptz, attempt_until = $4::timestamptz
    FROM due WHERE deliveries.id = due.id
    RETURNING deliveries.*
  )
  SELECT claimed.id, claimed.attempts, claimed.channel, claimed.created_at, claimed.account_id, claimed.notice_id,
    notices.kind, notices.data, accounts.name AS account_name, people.email_folded AS owner_email,
    COALESCE(settings.notify_by_email, true) AS notify_by_email, settings.webhook_url, settings.webhook_secret,
    CASE WHEN settings.previous_secret_until > $2::timestamptz THEN settings.previous_webhook_secret END AS previous_webhook_secret
  FROM claimed
  JOIN notices ON notices.id = claimed.notice_id
  JOIN accounts ON accounts.id = claimed.account_id
  LEFT JOIN members ON members.account_id = claimed.account_id AND members.person_id = claimed.person_id
    AND members.role = 'owner' AND members.last_seen_at IS NOT NULL
  LEFT JOIN people ON people.id = members.person_id
  LEFT JOIN notice_settings AS settings ON settings.account_id = claimed.account_id`;

/** A delivery whose attempt is this replica's, until its lease ends. */
export type ClaimedDelivery = NoticeContent & {
  readonly id: string;
  readonly attempts: number;
  readonly channel: DeliveryView['channel'];
  readonly created_at: Date;
  readonly account_id: string;
  readonly notice_id: string;
  readonly account_name: string;
  /** `null` for a webhook, and for a person who is no longer an owner. */
  readonly owner_email: string | null;
  readonly notify_by_email: boolean;
  readonly webhook_url: string | null;
  readonly webhook_secret: string | null;
  /** `null` once its overlap is over. */
  readonly previous_webhook_secret: string | null;
};

/** The outcome of an attempt; the next one is only for a delivery that is still waiting. */
export type AttemptEnd = Pick<Delivery, 'state' | 'nextAttemptAt' | 'problem'>;

/** The queue of the outbox. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: TransactionRunner) {}

  /** At most `max` due deliveries of a channel, each for one replica. */
  async claim(channel: DeliveryView['channel'], max: number): Promise<ClaimedDelivery[]> {
    const now = await readClock(this.database);
    const leaseEnd = new Date(now.getTime() + leaseMs);
    return this.database.query<ClaimedDelivery>('claim deliveries', claimSql, [channel, now, max, leaseEnd]);
  }

  /** Records the end of an attempt, unless its lease has ended and another one has begun. */
  async finish({ id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>, end: AttemptEnd): Promise<void> {
    await this.database.manager.update(
      Delivery,
      { id, attempts, state: 'waiting' },
      { ...end, attemptUntil: null },
    );
  }
}
