import { randomBytes } from 'node:crypto';
import {
  type CardPack,
  type ChangeNoticesRequest,
  type DeliveryView,
  type NoticeSettings,
  ServiceError,
  type TestNoticeRequest,
} from '#contracts';
import { type RemainingMs, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { AccountsRepository, noSuchAccount } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type NoticeSetting } from './notice-setting.entity.js';
import { NoticeSettingsRepository } from './notice-settings.repository.js';
import { Notice } from './notice.entity.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Outbox } from './outbox.js';
import { changedSetting } from './notice-rules.js';
import { WebhookChecks } from './webhooks/webhook-checks.js';

const testsMax = 10;
const testsWindowMs = 10 * 60_000;
const secretBytes = 32;

/** A payment whose credits are granted in the same transaction. */
export interface PaymentReceived {
  readonly accountId: string;
  readonly orderId: string;
  readonly pack: CardPack;
  readonly credits: number;
  readonly priceCents: number;
  /** The amount paid in dollars, and the tax in it; `null`: paid in another currency, which an operator has accepted. */
  readonly totalCents: number | null;
  readonly taxCents: number | null;
  /** When the credits expire. */
  readonly expiresAt: Date;
}

/** Which notices accounts get, by which channels, and whether they were delivered. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly settings: NoticeSettingsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: Outbox,
    private readonly webhooks: WebhookChecks,
  ) {}

  /** Throws `not_found` without the account. */
  async show(accountId: string): Promise<NoticeSettings> {
    await this.accounts.get(this.database, accountId);
    return toView(await this.settings.get(this.database, accountId));
  }

  /** Throws as `WebhookChecks.check` for a new webhook. */
  async change(request: ChangeNoticesRequest, remainingMs?: RemainingMs): Promise<NoticeSettings> {
    const { account_id: accountId, webhook_url } = request;
    const webhookUrl =
      webhook_url === undefined ? undefined : await this.webhooks.check(accountId, webhook_url);
    const change = async (locked: LockedAccounts): Promise<NoticeSettings> => {
      if (!locked.accountIds.has(accountId)) throw noSuchAccount();
      const stored = await this.settings.getLocked(locked, accountId);
      const changed = changedSetting(stored, { ...request, webhookUrl }, newSecret);
      await this.settings.save(locked, changed);
      return toView(changed);
    };
    return this.transactions.run([accountId], change, { remainingMs });
  }

  /** Sends a notice to the webhook, once per id. Throws `conflict` without a webhook, `rate_limited` after ten in ten minutes. */
  async test({ account_id: accountId, notice_id: subject }: TestNoticeRequest): Promise<void> {
    await this.transactions.run([accountId], async (locked) => {
      if (!locked.accountIds.has(accountId)) throw noSuchAccount();
      const settings = await this.settings.get(locked, accountId);
      if (settings.webhookUrl === null) throw new ServiceError('conflict', 'The account has no webhook.');
      const tests = { accountId, kind: 'test' } as const;
      if (await locked.manager.existsBy(Notice, { ...tests, subject })) return;
      const createdAt = MoreThan(new Date(locked.now.getTime() - testsWindowMs));
      if ((await locked.manager.countBy(Notice, { ...tests, createdAt })) >= testsMax) throw tooManyTests();
      await this.outbox.write(locked, { accountId, subject, content: { kind: 'test', data: {} } }, settings);
    });
  }

  /** The last 20, newest first. Throws `not_found` without the account. */
  async list(accountId: string): Promise<DeliveryView[]> {
    await this.accounts.get(this.database, accountId);
    const deliveries = await this.deliveries.ofAccount(this.database, accountId);
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

  /** Stores the receipt of an order, once, in the transaction that grants its credits. */
  async paymentReceived(locked: LockedAccounts, payment: PaymentReceived): Promise<void> {
    const { accountId, orderId, pack, credits, expiresAt } = payment;
    const settings = await this.settings.get(locked, accountId);
    if (!settings.notifyOnPayment) return;
    const data = {
      order_id: orderId,
      pack,
      credits,
      price_cents: payment.priceCents,
      total_cents: payment.totalCents,
      tax_cents: payment.taxCents,
      expires_at: expiresAt.toISOString(),
    };
    const content = { kind: 'payment_received', data } as const;
    await this.outbox.write(locked, { accountId, subject: orderId, content }, settings);
  }
}

/** In the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

function tooManyTests(): ServiceError {
  return new ServiceError('rate_limited', 'Too many test notifications. Try again in 10 minutes.');
}

function toView(setting: NoticeSetting): NoticeSettings {
  return {
    balance_threshold: setting.balanceThreshold,
    notify_on_expiry: setting.notifyOnExpiry,
    notify_on_payment: setting.notifyOnPayment,
    notify_by_email: setting.notifyByEmail,
    webhook_url: setting.webhookUrl,
    webhook_secret: setting.webhookSecret,
  };
}
