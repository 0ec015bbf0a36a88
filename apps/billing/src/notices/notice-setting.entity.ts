import { type Managed } from '#platform/database';
import { Column, Entity, type FindOneOptions, PrimaryColumn } from 'typeorm';

/**
 * Which notices an account gets, and by which channels. An account without a row has the defaults: notices that concern credits or
 * money are mailed. The first pack brings a threshold.
 */
@Entity('notice_settings')
export class NoticeSetting {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** The account is notified when its balance falls below it. */
  @Column('integer', { name: 'balance_threshold', nullable: true })
  balanceThreshold: number | null = null;

  /** Whether an owner has set the threshold; if not, it follows the packs. */
  @Column('boolean', { name: 'is_threshold_chosen', default: false })
  isThresholdChosen: boolean = false;

  @Column('boolean', { name: 'notify_on_expiry', default: true })
  notifyOnExpiry: boolean = true;

  @Column('boolean', { name: 'notify_on_payment', default: true })
  notifyOnPayment: boolean = true;

  @Column('boolean', { name: 'notify_by_email', default: true })
  notifyByEmail: boolean = true;

  @Column('text', { name: 'webhook_url', nullable: true })
  webhookUrl: string | null = null;

  /** Signs messages to the webhook. Stored in plain text, because the owner copies it to the receiver. */
  @Column('text', { name: 'webhook_secret', nullable: true })
  webhookSecret: string | null = null;

  /** The one before, which signs too until `previousSecretUntil`, so that receivers can change over. */
  @Column('text', { name: 'previous_webhook_secret', nullable: true })
  previousWebhookSecret: string | null = null;

  @Column('timestamp with time zone', { name: 'previous_secret_until', precision: 3, nullable: true })
  previousSecretUntil: Date | null = null;

  /** Whether the balance was below the threshold at the last check. */
  @Column('boolean', { name: 'is_balance_low', default: false })
  isBalanceLow: boolean = false;

  @Column('timestamp with time zone', { name: 'balance_checked_at', precision: 3 })
  balanceCheckedAt: Date = new Date(0);

  /** DNS look-ups of webhooks since `webhookChecksFrom`. */
  @Column('integer', { name: 'webhook_checks', default: 0 })
  webhookChecks: number = 0;

  @Column('timestamp with time zone', { name: 'webhook_checks_from', precision: 3, nullable: true })
  webhookChecksFrom: Date | null = null;
}

/** The stored settings of an account, or the defaults. With a lock, no check of the balance changes them before they are saved. */
export async function settingsOf(
  { manager }: Managed,
  accountId: string,
  options: Pick<FindOneOptions<NoticeSetting>, 'lock'> = {},
): Promise<NoticeSetting> {
  const stored = await manager.findOne(NoticeSetting, { where: { accountId }, ...options });
  return stored ?? Object.assign(new NoticeSetting(), { accountId });
}
