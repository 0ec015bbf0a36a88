import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../database/account-transactions.js';
import { MailService } from '../people/mail/mail.service.js';
import { MembersRepository } from '../people/records/members.repository.js';
import { Delivery } from './delivery.entity.js';
import { settingsOf } from './notice-setting.entity.js';
import { Notice, type NoticeContent } from './notice.entity.js';

/** A message to an account: there is one of each kind and subject. */
type NewNotice = NoticeContent & Pick<Notice, 'accountId' | 'subject'>;

type Recipient = Pick<Delivery, 'channel' | 'personId'>;

/** Stores notices with a delivery for each recipient, in the transaction of what they report. A worker delivers them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly members: MembersRepository,
    private readonly mail: MailService,
  ) {}

  /** Addresses owners who have signed in and the webhook, as the account's settings say. Does nothing for a stored notice. */
  async write(locked: LockedAccounts, notice: NewNotice): Promise<void> {
    const { manager, now: createdAt } = locked;
    const { accountId } = notice;
    const noticeId = uuidv7();
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(Notice)
      .values({ ...notice, id: noticeId, createdAt })
      .orIgnore()
      .returning('id')
      .execute();
    if ((inserted.raw as unknown[]).length === 0) return;
    const due = { noticeId, accountId, createdAt, nextAttemptAt: createdAt };
    const recipients = await this.recipientsOf(locked, notice);
    await manager.insert(
      Delivery,
      recipients.map((to) => ({ ...to, ...due, id: uuidv7() })),
    );
  }

  /** Tests are sent only to the webhook. */
  private async recipientsOf(locked: LockedAccounts, { accountId, kind }: NewNotice): Promise<Recipient[]> {
    const { notifyByEmail, webhookUrl } = await settingsOf(locked, accountId);
    const isWanted = kind === 'webhook_removed' || (notifyByEmail && kind !== 'test');
    const byMail = isWanted && this.mail.isOn;
    const owners = byMail ? await this.members.ownersToNotify(locked, accountId) : [];
    return [
      ...owners.map(({ personId }) => ({ channel: 'mail', personId }) as const),
      ...(webhookUrl === null ? [] : [{ channel: 'webhook', personId: null } as const]),
    ];
  }
}
