import { type Managed } from '#platform/database';
import { Column, Entity, type FindOneOptions, PrimaryColumn } from 'typeorm';

/** Which notices an account gets, and by which channels. An account without a row has the defaults. */
@Entity('notice_settings')
export class NoticeSetting {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** The account is notified when its balance falls below it. */
  @Column('integer', { name: 'balance_threshold', nullable: true })
  balanceThreshold: number | null;

  /** Whether an owner has set the threshold; if not, it follows the packs. */
  @Column('boolean', { name: 'is_threshold_chosen', default: false })
  isThresholdChosen: boolean;

  @Column('boolean', { name: 'notify_on_expiry', default: true })
  notifyOnExpiry: boolean;

  @Column('boolean', { name: 'notify_on_payment', default: true })
  notifyOnPayment: boolean;

  @Column('boolean', { name: 'notify_by_email', default: true })
  notifyByEmail: boolean;

  @Column('text', { name: 'webhook_url', nullable: true })
  webhookUrl: string | null;

  /** Signs messages to the webhook. Stored in plain text, because the owner copies it to the receiver. */
  @Column('text', { name: 'webhook_secret', nullable: true })
  webhookSecret: string | null;

  /** The one before, which signs too until `previousSecretUntil`, so that receivers can change over. */
  @Column('text', { name: 'previous_webhook_secret', nullable: true })
  previousWebhookSecret: string | null;

  @Column('timestamp with time zone', { name: 'previous_secret_until', precision: 3, nullable: true })
  previousSecretUntil: Date | null;

  /** Whether the balance was below the threshold at the last check. */
  @Column('boolean', { name: 'is_balance_low', default: false })
  isBalanceLow: boolean;

  @Column('timestamp with time zone', { name: 'balance_checked_at', precision: 3 })
  balanceCheckedAt: Date;

  /** DNS look-ups of webhooks since `webhookChecksFrom`. */
  @Column('integer', { name: 'webhook_checks', default: 0 })
  webhookChecks: number;

  @Column('timestamp with time zone', { name: 'webhook_checks_from', precision: 3, nullable: true })
  webhookChecksFrom: Date | null;
}

/** The stored settings of an account, or the defaults. With a lock, no check of the balance changes them before they are saved. */
export async function settingsOf(
  { manager }: Managed,
  accountId: string,
  options: Pick<FindOneOptions<NoticeSetting>, 'lock'> = {},
): Promise<NoticeSetting> {
  const stored = await manager.findOne(NoticeSetting, { where: { accountId }, ...options });
  return stored ?? defaultsOf(accountId);
}

/** Notices that concern credits or money are mailed. The first pack brings a threshold. */
function defaultsOf(accountId: string): NoticeSetting {
  return {
    accountId,
    balanceThreshold: null,
    isThresholdChosen: false,
    notifyOnExpiry: true,
    notifyOnPayment: true,
    notifyByEmail: true,
    webhookUrl: null,
    webhookSecret: null,
    previousWebhookSecret: null,
    previousSecretUntil: null,
    webhookChecks: 0,
    webhookChecksFrom: null,
    isBalanceLow: false,
    balanceCheckedAt: new Date(0),
  };
}
