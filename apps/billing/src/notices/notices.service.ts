import { randomBytes } from 'node:crypto';
import {
  type ChangeNoticesRequest,
  type DeliveryView,
  type NoticeSettings,
  ServiceError,
  type TestNoticeRequest,
} from '#contracts';
import { type RemainingMs, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { conflict, rateLimited } from '../errors.js';
import { AccountsRepository, noSuchAccount } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { NoticeSetting, settingsOf } from './notice-setting.entity.js';
import { type DataByKind, Notice } from './notice.entity.js';
import { Delivery } from './delivery.entity.js';
import { Outbox } from './outbox.js';
import { changedSetting, withNewSecret, withoutWebhook, withPack } from './notice-rules.js';
import { WebhookSender } from './webhooks/webhook-sender.js';
import { parseWebhookUrl, UnreachableWebhookError } from './webhooks/webhook-target.js';

const testsMax = 10;
const testsWindowMs = 10 * 60_000;
const checksMax = 5;
const checksWindowMs = 60_000;
const shownMax = 20;
const secretBytes = 32;
const forUpdate = { lock: { mode: 'pessimistic_write' } } as const;

/** Which notices accounts get, by which channels, and whether they were delivered. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly outbox: Outbox,
    private readonly webhooks: WebhookSender,
  ) {}

  /** Throws `not_found` without the account. */
  async show(accountId: string): Promise<NoticeSettings> {
    await this.accounts.get(this.database, accountId);
    return toView(await settingsOf(this.database, accountId));
  }

  /**
   * A new webhook is looked up before. Throws `invalid_request` when it is not https, is not found or points to a private address, and
   * `rate_limited` after five such webhooks in a minute.
   */
  async change(request: ChangeNoticesRequest, remainingMs?: RemainingMs): Promise<NoticeSettings> {
    const { account_id: accountId, webhook_url } = request;
    const webhookUrl =
      webhook_url === undefined ? undefined : await this.checkWebhook(accountId, webhook_url);
    const change = async (locked: LockedAccounts): Promise<NoticeSettings> => {
      if (!locked.accountIds.has(accountId)) throw noSuchAccount();
      const stored = await settingsOf(locked, accountId, forUpdate);
      const saved = changedSetting(stored, { ...request, webhookUrl }, newSecret);
      const changed = request.rotate_webhook_secret ? withNewSecret(saved, locked.now, newSecret) : saved;
      await locked.manager.upsert(NoticeSetting, changed, ['accountId']);
      return toView(changed);
    };
    return this.transactions.run([accountId], change, { remainingMs });
  }

  /** Removes a webhook that its receiver has ended, unless an owner has changed it meanwhile, and notifies the owners by mail. */
  async removeGone(accountId: string, webhookUrl: string, noticeId: string): Promise<void> {
    await this.transactions.run([accountId], async (locked) => {
      const stored = await settingsOf(locked, accountId, forUpdate);
      if (stored.webhookUrl !== webhookUrl) return;
      await locked.manager.upsert(NoticeSetting, withoutWebhook(stored), ['accountId']);
      const data = { host: new URL(webhookUrl).host };
      await this.outbox.write(locked, { accountId, subject: noticeId, kind: 'webhook_removed', data });
    });
  }

  /** Sends a notice to the webhook, once per id. Throws `conflict` without a webhook, `rate_limited` after ten in ten minutes. */
  async test({ account_id: accountId, notice_id: subject }: TestNoticeRequest): Promise<void> {
    await this.transactions.run([accountId], async (locked) => {
      if (!locked.accountIds.has(accountId)) throw noSuchAccount();
      const settings = await settingsOf(locked, accountId);
      if (settings.webhookUrl === null) throw conflict('The account has no webhook.');
      const tests = { accountId, kind: 'test' } as const;
      if (await locked.manager.existsBy(Notice, { ...tests, subject })) return;
      const createdAt = MoreThan(new Date(locked.now.getTime() - testsWindowMs));
      if ((await locked.manager.countBy(Notice, { ...tests, createdAt })) >= testsMax) {
        throw rateLimited('Too many test notifications. Try again in 10 minutes.');
      }
      await this.outbox.write(locked, { ...tests, subject, data: {} });
    });
  }

  /** The last 20 deliveries, newest first. Throws `not_found` without the account. */
  async list(accountId: string): Promise<DeliveryView[]> {
    await this.accounts.get(this.database, accountId);
    const deliveries = await this.database.manager.find(Delivery, {
      where: { accountId },
      relations: { notice: true },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: shownMax,
    });
    return deliveries.map(({ id, notice, channel, state, attempts, createdAt, problem }) => ({
      id,
      kind: notice.kind,
      channel,
      state,
      attempts,
      at: createdAt.toISOString(),
      problem,
    }));
  }

  /** Notifies the owners from now on when little of the pack is left, in the transaction that adds its credits. */
  async packAdded(locked: LockedAccounts, accountId: string, credits: number): Promise<void> {
    const stored = await settingsOf(locked, accountId, forUpdate);
    const changed = withPack(stored, credits);
    if (changed !== stored) await locked.manager.upsert(NoticeSetting, changed, ['accountId']);
  }

  /** Stores the receipt of an order, once, in the transaction that grants its credits. */
  async paymentReceived(
    locked: LockedAccounts,
    accountId: string,
    data: DataByKind['payment_received'],
  ): Promise<void> {
    if (!(await settingsOf(locked, accountId)).notifyOnPayment) return;
    await this.outbox.write(locked, { accountId, subject: data.order_id, kind: 'payment_received', data });
  }

  /** The URL, or `null` for none. Limited, because each look-up queries a name server that the owner chooses. */
  private async checkWebhook(accountId: string, text: string): Promise<string | null> {
    if (text === '') return null;
    try {
      const { href } = parseWebhookUrl(text);
      const count = (locked: LockedAccounts) => this.countCheck(locked, accountId, href);
      if (await this.transactions.run([accountId], count)) await this.webhooks.check(href);
      return href;
    } catch (error) {
      if (!(error instanceof UnreachableWebhookError)) throw error;
      const details = { webhook_url: [error.message] };
      throw new ServiceError('invalid_request', error.message, { details, cause: error });
    }
  }

  /** Resolves to whether the webhook differs from the stored one, which is not looked up again. */
  private async countCheck(locked: LockedAccounts, accountId: string, href: string): Promise<boolean> {
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const stored = await settingsOf(locked, accountId, forUpdate);
    if (stored.webhookUrl === href) return false;
    const { webhookChecks, webhookChecksFrom: from } = stored;
    const isOver = from === null || locked.now.getTime() - from.getTime() >= checksWindowMs;
    if (!isOver && webhookChecks >= checksMax) {
      throw rateLimited('The webhook was changed too often. Try again in a minute.');
    }
    const counted = {
      ...stored,
      webhookChecks: isOver ? 1 : webhookChecks + 1,
      webhookChecksFrom: isOver ? locked.now : from,
    };
    await locked.manager.upsert(NoticeSetting, counted, ['accountId']);
    return true;
  }
}

/** In the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

function toView(setting: NoticeSetting): NoticeSettings {
  return {
    balance_threshold: setting.balanceThreshold,
    notify_on_expiry: setting.notifyOnExpiry,
    notify_on_payment: setting.notifyOnPayment,
    notify_by_email: setting.notifyByEmail,
    webhook_url: setting.webhookUrl,
    webhook_secret: setting.webhookSecret,
    previous_secret_until: setting.previousSecretUntil?.toISOString() ?? null,
  };
}
