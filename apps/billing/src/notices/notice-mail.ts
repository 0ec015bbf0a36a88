import { type Mail, withoutLinks } from '../people/mail/mail.js';
import { type ClaimedDelivery } from './deliveries.repository.js';
import { type DataByKind, type NoticeContent } from './notice.entity.js';

/** Tests are sent only to the webhook. */
type MailedContent = Exclude<NoticeContent, { readonly kind: 'test' }>;
type MailedNotice = MailedContent & Pick<ClaimedDelivery, 'id' | 'account_name'>;

interface NoticeText {
  readonly subject: string;
  readonly sentence: string;
  /** A path below the account pages, and its label. */
  readonly page?: { readonly path: string; readonly label: string };
}

/** The mail that an owner of the account gets for a notice. `pagesUrl`: `null` if it can't link to the account pages. */
export function noticeMail(notice: MailedNotice, to: string, pagesUrl: string | null): Mail {
  const name = withoutLinks(notice.account_name);
  const { subject, sentence, page } = textOf(notice, name);
  const reason = `You receive this email as an owner of the account "${name}".`;
  const mail = { kind: notice.kind, to, subject, messageId: notice.id };
  if (pagesUrl === null) return { ...mail, paragraphs: [sentence, reason] };
  const settings = `${pagesUrl}/settings`;
  const links = page ? [{ label: page.label, link: pagesUrl + page.path }] : [];
  const manage = { label: `${reason} Manage notifications`, link: settings };
  return { ...mail, settings, paragraphs: [sentence, ...links, manage] };
}

function textOf(content: MailedContent, account: string): NoticeText {
  switch (content.kind) {
    case 'balance_low': {
      const { credits_remaining, threshold } = content.data;
      return {
        subject: `${credits(credits_remaining)} left`,
        sentence: `The account "${account}" has ${credits(credits_remaining)} left, fewer than your threshold of ${count(threshold)}.`,
        page: { path: '/buy', label: 'Buy credits' },
      };
    }
    case 'webhook_removed':
      return {
        subject: 'Webhook removed',
        sentence: `The webhook of the account "${account}" at ${withoutLinks(content.data.host)} answered 410 (gone), so it was removed.`,
      };
    case 'key_limit_near':
    case 'key_limit_reached': {
      const { spent, monthly_limit, resets_at, key_name } = content.data;
      const key = `API key "${withoutLinks(key_name)}" of the account "${account}"`;
      const isReached = content.kind === 'key_limit_reached';
      return {
        subject: isReached
          ? 'An API key has reached its monthly limit'
          : `An API key has used ${count(spent)} of ${credits(monthly_limit)} this month`,
        sentence: isReached
          ? `Calls with the ${key} are refused: it has reached its limit of ${credits(monthly_limit)} a month. The limit resets on ${moment(resets_at)}; you can raise it before.`
          : `The ${key} has used ${count(spent)} of the ${credits(monthly_limit)} that it may spend this month. The limit resets on ${moment(resets_at)}.`,
        page: { path: '/keys', label: 'View keys' },
      };
    }
    case 'lot_expiring': {
      const { remaining, expires_at } = content.data;
      return {
        subject: `${credits(remaining)} will expire on ${day(expires_at)}`,
        sentence: `${credits(remaining)} of the account "${account}" expire on ${moment(expires_at)}. The oldest credits are used first.`,
        page: { path: '', label: 'View credits' },
      };
    }
    case 'payment_received': {
      const { credits: bought, expires_at, order_id } = content.data;
      const { subject, sentence } = paymentText(content.data);
      return {
        subject,
        sentence: `${sentence} ${credits(bought)} have been added to the account "${account}". They expire on ${moment(expires_at)}.`,
        page: { path: `/buy/${order_id}`, label: 'Order and receipt' },
      };
    }
  }
}

function paymentText({
  total_cents,
  tax_cents,
}: DataByKind['payment_received']): Pick<NoticeText, 'subject' | 'sentence'> {
  if (total_cents === null) {
    return { subject: 'Payment received', sentence: 'We have received your payment.' };
  }
  if (total_cents === 0) {
    return { subject: 'Order received: nothing to pay', sentence: 'A discount covers your order.' };
  }
  const tax = tax_cents ? `, including ${dollars(tax_cents)} tax` : '';
  return {
    subject: `Payment received: ${dollars(total_cents)}`,
    sentence: `We have received ${dollars(total_cents)}${tax}.`,
  };
}

const numbers = new Intl.NumberFormat('en-US');
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const count = (number: number): string => numbers.format(number);
const credits = (number: number): string => `${count(number)} ${number === 1 ? 'credit' : 'credits'}`;
const dollars = (cents: number): string => money.format(cents / 100);
const day = (time: string): string => days.format(new Date(time));
const moment = (time: string): string => `${moments.format(new Date(time))} UTC`;
