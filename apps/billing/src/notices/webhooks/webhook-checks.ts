import { ServiceError } from '#contracts';
import { Injectable } from '@nestjs/common';
import { noSuchAccount } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { NoticeSettingsRepository } from '../notice-settings.repository.js';
import { WebhookSender } from './webhook-sender.js';
import { parseWebhookUrl, UnreachableWebhookError } from './webhook-target.js';

const checksMax = 5;
const windowMs = 60_000;
const atOnceMax = 2;

/** Checks webhooks that owners enter. Limited, because each check queries a name server that the owner chooses. */
@Injectable()
export class WebhookChecks {
  private readonly inProgress = new Map<string, number>();

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly settings: NoticeSettingsRepository,
    private readonly webhooks: WebhookSender,
  ) {}

  /**
   * The URL, or `null` for none; the stored one is not checked again. Throws `invalid_request` when it is not https, is not found
   * or points to a private address, and `rate_limited` after five checks a minute or while two are in progress.
   */
  async check(accountId: string, text: string): Promise<string | null> {
    if (text === '') return null;
    try {
      const { href } = parseWebhookUrl(text);
      const count = (locked: LockedAccounts) => this.count(locked, accountId, href);
      const isOther = await this.transactions.run([accountId], count);
      if (isOther) await this.lookUp(accountId, href);
      return href;
    } catch (error) {
      if (!(error instanceof UnreachableWebhookError)) throw error;
      const details = { webhook_url: [error.message] };
      throw new ServiceError('invalid_request', error.message, { details, cause: error });
    }
  }

  /** Resolves to whether the webhook differs from the stored one. */
  private async count(locked: LockedAccounts, accountId: string, href: string): Promise<boolean> {
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const stored = await this.settings.getLocked(locked, accountId);
    if (stored.webhookUrl === href) return false;
    const { webhookChecks, webhookChecksFrom: from } = stored;
    const isOver = from === null || locked.now.getTime() - from.getTime() >= windowMs;
    if (!isOver && webhookChecks >= checksMax) throw tooManyChecks();
    await this.settings.save(locked, {
      ...stored,
      webhookChecks: isOver ? 1 : webhookChecks + 1,
      webhookChecksFrom: isOver ? locked.now : from,
    });
    return true;
  }

  private async lookUp(accountId: string, href: string): Promise<void> {
    const before = this.inProgress.get(accountId) ?? 0;
    if (before >= atOnceMax) throw tooManyChecks();
    this.inProgress.set(accountId, before + 1);
    try {
      await this.webhooks.check(href);
    } finally {
      const left = (this.inProgress.get(accountId) ?? 0) - 1;
      if (left > 0) this.inProgress.set(accountId, left);
      else this.inProgress.delete(accountId);
    }
  }
}

function tooManyChecks(): ServiceError {
  return new ServiceError('rate_limited', 'The webhook was changed too often. Try again in a minute.');
}
