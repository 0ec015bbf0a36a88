import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What an account wants to be told, and where. An account without a row has the defaults. */
@Entity('notice_settings')
@Check('notice_settings_threshold_positive', 'balance_threshold > 0')
@Check('notice_settings_webhook_length', 'char_length(webhook_url) <= 2000')
@Check('notice_settings_webhook_whole', '(webhook_url IS NULL) = (webhook_secret IS NULL)')
@Index('notice_settings_to_check', ['balanceCheckedAt'], { where: 'balance_threshold IS NOT NULL' })
export class NoticeSetting {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'notice_settings_pk' })
  @ForeignKey('accounts', { name: 'notice_settings_account_fk' })
  accountId: string;

  /** Told when the balance falls below it. */
  @Column('integer', { name: 'balance_threshold', nullable: true })
  balanceThreshold: number | null;

  @Column('boolean', { name: 'is_expiry_told', default: true })
  isExpiryTold: boolean;

  @Column('boolean', { name: 'is_payment_told', default: true })
  isPaymentTold: boolean;

  @Column('boolean', { name: 'is_mailed', default: true })
  isMailed: boolean;

  @Column('text', { name: 'webhook_url', nullable: true })
  webhookUrl: string | null;

  /** Signs what is sent to the webhook; the receiver needs it as it is. */
  @Column('text', { name: 'webhook_secret', nullable: true })
  webhookSecret: string | null;

  /** Whether the balance was below the threshold at the last look. */
  @Column('boolean', { name: 'is_balance_low', default: false })
  isBalanceLow: boolean;

  @Column('timestamp with time zone', { name: 'balance_checked_at', precision: 3 })
  balanceCheckedAt: Date;

  /** Look-ups of webhooks that were asked for since `webhookChecksFrom`. */
  @Column('integer', { name: 'webhook_checks', default: 0 })
  webhookChecks: number;

  @Column('timestamp with time zone', { name: 'webhook_checks_from', precision: 3, nullable: true })
  webhookChecksFrom: Date | null;
}
