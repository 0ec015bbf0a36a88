import { type DeliveryView } from '@app/contracts';
import { type Managed, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type NoticeContent } from '../words/notice-data.js';
import { Delivery } from '../delivery.entity.js';

/** Longer than any attempt takes: after it, the replica that made the attempt is taken for dead. */
export const leaseMs = 120_000;

/**
 * Hand-written: takes due deliveries that no other replica is taking, served by `deliveries_due`, and reads all that an attempt
 * needs as it is now.
 */
const claimSql = `
  WITH due AS (
    SELECT id FROM deliveries
    WHERE state = 'waiting' AND next_attempt_at <= (SELECT ledger_now())
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = ledger_now() + make_interval(secs => $2)
    FROM due WHERE deliveries.id = due.id
    RETURNING deliveries.*
  )
  SELECT claimed.id, claimed.attempts, claimed.channel, claimed.created_at, claimed.account_id, claimed.notice_id,
    notices.kind, notices.data, accounts.name AS account_name, people.email AS owner_email,
    COALESCE(settings.is_mailed, true) AS is_mailed, settings.webhook_url, settings.webhook_secret
  FROM claimed
  JOIN notices ON notices.id = claimed.notice_id
  JOIN accounts ON accounts.id = claimed.account_id
  LEFT JOIN members ON members.account_id = claimed.account_id AND members.person_id = claimed.person_id
    AND members.role = 'owner'
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
  /** `null`: by webhook, or to someone who is no owner any more. */
  readonly owner_email: string | null;
  readonly is_mailed: boolean;
  readonly webhook_url: string | null;
  readonly webhook_secret: string | null;
};

/** What has become of an attempt. */
export interface AttemptEnd {
  readonly state: DeliveryView['state'];
  /** Of one that is still waiting. */
  readonly nextAttemptAt: Date | null;
  readonly problem: string | null;
}

const shownMax = 20;

/** Deliveries, as the queue of the outbox and as their account sees them. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: TransactionRunner) {}

  /** At most `max` due deliveries, each for one replica. */
  claim(max: number): Promise<ClaimedDelivery[]> {
    return this.database.query<ClaimedDelivery>('claim deliveries', claimSql, [max, leaseMs / 1_000]);
  }

  /** Records the end of an attempt, unless its lease has ended and another one has begun. */
  async finish({ id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>, end: AttemptEnd): Promise<void> {
    await this.database.manager.update(Delivery, { id, attempts, state: 'waiting' }, end);
  }

  /** The last 20 of an account, newest first. */
  ofAccount({ manager }: Managed, accountId: string): Promise<Delivery[]> {
    return manager.find(Delivery, {
      where: { accountId },
      relations: { notice: true },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: shownMax,
    });
  }
}
