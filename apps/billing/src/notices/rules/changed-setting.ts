import { type ChangeNoticesRequest } from '@app/contracts';
import { type NoticeSetting } from '../notice-setting.entity.js';

/** The fields of a form; those that are missing stay as they are. */
export interface SettingChange extends Omit<ChangeNoticesRequest, 'account_id' | 'webhook_url'> {
  /** Checked; `null` for none. */
  readonly webhookUrl: string | null | undefined;
}

/**
 * The settings after a change. Another threshold is looked at anew, the same one is not: its account would be told again.
 * A webhook gets a secret, which stays when only its address changes.
 */
export function changedSetting(
  stored: NoticeSetting,
  { balance_threshold, is_expiry_told, is_payment_told, is_mailed, webhookUrl }: SettingChange,
  newSecret: () => string,
): NoticeSetting {
  // 0 is none.
  const threshold = balance_threshold === undefined ? stored.balanceThreshold : balance_threshold || null;
  const isOther = threshold !== stored.balanceThreshold;
  const url = webhookUrl === undefined ? stored.webhookUrl : webhookUrl;
  return {
    ...stored,
    ...(isOther && { balanceThreshold: threshold, isBalanceLow: false, balanceCheckedAt: new Date(0) }),
    isExpiryTold: is_expiry_told ?? stored.isExpiryTold,
    isPaymentTold: is_payment_told ?? stored.isPaymentTold,
    isMailed: is_mailed ?? stored.isMailed,
    webhookUrl: url,
    webhookSecret: url === null ? null : (stored.webhookSecret ?? newSecret()),
  };
}
