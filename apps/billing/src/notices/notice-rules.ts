import { type ChangeNoticesRequest } from '#contracts';
import { dayMs } from '../durations.js';
import { type Delivery } from './delivery.entity.js';
import { type NoticeSetting } from './notice-setting.entity.js';

/** The fields of a form; missing ones are not changed. */
export interface SettingChange extends Omit<ChangeNoticesRequest, 'account_id' | 'webhook_url'> {
  /** A checked URL; `null` for none. */
  readonly webhookUrl: string | null | undefined;
}

/**
 * The settings after a change. Only a different threshold resets the check of the balance: otherwise saving the form would notify
 * the account again. A webhook gets a secret, which is kept when its URL changes.
 */
export function changedSetting(
  stored: NoticeSetting,
  { balance_threshold, notify_on_expiry, notify_on_payment, notify_by_email, webhookUrl }: SettingChange,
  newSecret: () => string,
): NoticeSetting {
  // 0 is none.
  const threshold = balance_threshold === undefined ? stored.balanceThreshold : balance_threshold || null;
  const url = webhookUrl === undefined ? stored.webhookUrl : webhookUrl;
  return {
    ...(url === null ? withoutWebhook(stored) : stored),
    ...(threshold !== stored.balanceThreshold && { ...checkedAgainst(threshold), isThresholdChosen: true }),
    notifyOnExpiry: notify_on_expiry ?? stored.notifyOnExpiry,
    notifyOnPayment: notify_on_payment ?? stored.notifyOnPayment,
    notifyByEmail: notify_by_email ?? stored.notifyByEmail,
    webhookUrl: url,
    webhookSecret: url === null ? null : (stored.webhookSecret ?? newSecret()),
  };
}

/** The part of a pack below which owners are notified, unless they choose a threshold. */
const partOfPack = 0.1;

/** The settings of an account that gets a pack: until an owner chooses a threshold, a tenth of the last pack. */
export function withPack(stored: NoticeSetting, credits: number): NoticeSetting {
  const threshold = Math.ceil(credits * partOfPack);
  const isKept = stored.isThresholdChosen || threshold === stored.balanceThreshold;
  return isKept ? stored : { ...stored, ...checkedAgainst(threshold) };
}

/** A threshold with which no balance was compared yet. */
function checkedAgainst(
  balanceThreshold: number | null,
): Pick<NoticeSetting, 'balanceThreshold' | 'isBalanceLow' | 'balanceCheckedAt'> {
  return { balanceThreshold, isBalanceLow: false, balanceCheckedAt: new Date(0) };
}

/** How long the previous secret signs too. */
const secretOverlapMs = dayMs;

/** The settings with a new secret of the webhook; the previous one signs too for a day. Unchanged without a webhook. */
export function withNewSecret(stored: NoticeSetting, now: Date, newSecret: () => string): NoticeSetting {
  if (stored.webhookUrl === null) return stored;
  return {
    ...stored,
    webhookSecret: newSecret(),
    previousWebhookSecret: stored.webhookSecret,
    previousSecretUntil: new Date(now.getTime() + secretOverlapMs),
  };
}

/** The settings without the webhook and its secrets. */
export function withoutWebhook(stored: NoticeSetting): NoticeSetting {
  const none = { webhookUrl: null, webhookSecret: null };
  return { ...stored, ...none, previousWebhookSecret: null, previousSecretUntil: null };
}

/** Seconds between attempts; the last delay is repeated. */
const delays = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600];
/** Time from a notice to its last attempt. */
export const deliveredForMs = 3 * dayMs;

/** A delivery whose attempts so far, the failed one included, are `attempts`. */
interface Attempted extends Pick<Delivery, 'attempts' | 'createdAt'> {
  readonly now: Date;
}

/** When to retry a delivery that has just failed; `null`: never, because it would be more than three days old by then. */
export function nextAttemptAt({ attempts, createdAt, now }: Attempted): Date | null {
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? 0;
  const next = new Date(now.getTime() + delay * 1_000);
  return next.getTime() - createdAt.getTime() > deliveredForMs ? null : next;
}
