import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../database/account-transactions.js';
import { MailService } from '../people/mail/mail.service.js';
import { MembersRepository } from '../people/records/members.repository.js';
import { Delivery } from './delivery.entity.js';
import { settingsOf } from './notice-setting.entity.js';
import { Notice, type NoticeContent } from './notice.entity.js';

/** A message to an account. */
export interface NewNotice {
  readonly accountId: string;
  /** The subject of the notice: there is one notice of each kind and subject. */
  readonly subject: string;
  readonly content: NoticeContent;
}

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
    const noticeId = uuidv7();
    if (!(await this.insert(locked, noticeId, notice))) return;
    const { accountId } = notice;
    const recipients = await this.recipientsOf(locked, notice);
    const due = { nextAttemptAt: locked.now, createdAt: locked.now };
    const deliveries = recipients.map((to) => ({ ...to, ...due, id: uuidv7(), noticeId, accountId }));
    if (deliveries.length > 0) await locked.manager.insert(Delivery, deliveries);
  }

  /** Resolves to whether the notice is new. */
  private async insert({ manager, now }: LockedAccounts, id: string, notice: NewNotice): Promise<boolean> {
    const { accountId, subject, content } = notice;
    const values = { id, accountId, subject, ...content, createdAt: now };
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(Notice)
      .values(values)
      .orIgnore()
      .returning(['id'])
      .execute();
    return (inserted.raw as unknown[]).length > 0;
  }

  /** Tests are sent only to the webhook. */
  private async recipientsOf(
    locked: LockedAccounts,
    { accountId, content }: NewNotice,
  ): Promise<Recipient[]> {
    const { notifyByEmail, webhookUrl } = await settingsOf(locked, accountId);
    const isWanted = content.kind === 'webhook_removed' || (notifyByEmail && content.kind !== 'test');
    const byMail = isWanted && this.mail.isOn;
    const owners = byMail ? await this.members.ownersToNotify(locked, accountId) : [];
    return [
      ...owners.map(({ personId }) => ({ channel: 'mail', personId }) as const),
      ...(webhookUrl === null ? [] : [{ channel: 'webhook', personId: null } as const]),
    ];
  }
}
