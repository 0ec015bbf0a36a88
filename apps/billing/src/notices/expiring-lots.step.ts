import { type LotOrigin } from '#contracts';
import { Injectable } from '@nestjs/common';
import { NoticeStep } from './notice-step.js';
import { type NewNotice } from './outbox.js';

/** Served by `lots_to_expire` and `notices_once`. */
const expiringSql = `
  SELECT lots.id, lots.account_id, lots.pack, lots.remaining, lots.expires_at FROM lots
  LEFT JOIN notice_settings AS settings ON settings.account_id = lots.account_id
  WHERE is_open AND remaining > 0 AND expires_at > (SELECT ledger_now())
    AND expires_at <= (SELECT ledger_now()) + interval '3 days'
    AND COALESCE(settings.notify_on_expiry, true)
    AND NOT EXISTS (
      SELECT FROM notices
      WHERE notices.account_id = lots.account_id AND kind = 'lot_expiring' AND subject = lots.id::text
    )
  ORDER BY expires_at LIMIT $1`;

interface ExpiringLot {
  readonly id: string;
  readonly account_id: string;
  readonly pack: LotOrigin;
  readonly remaining: number;
  readonly expires_at: Date;
}

/** Notifies accounts three days before a lot with credits left expires, once for each lot. Checks once a minute. */
@Injectable()
export class ExpiringLotsStep extends NoticeStep<ExpiringLot> {
  readonly name = 'expiring lots';
  protected readonly checkEveryMs = 60_000;

  protected find(max: number): Promise<ExpiringLot[]> {
    return this.database.query<ExpiringLot>('select expiring lots', expiringSql, [max]);
  }

  protected noticeOf({ id, account_id: accountId, pack, remaining, expires_at }: ExpiringLot): NewNotice {
    const data = { lot_id: id, pack, remaining, expires_at: expires_at.toISOString() };
    return { accountId, subject: id, content: { kind: 'lot_expiring', data } };
  }
}
