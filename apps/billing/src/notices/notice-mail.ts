import { type Mail, type Paragraph, withoutLinks } from '../people/mail/mail.js';
import { type DataByKind, type NoticeContent } from './notice.entity.js';

/** Tests are sent only to the webhook. */
export type MailedContent = Exclude<NoticeContent, { readonly kind: 'test' }>;

interface NoticeToOwner {
  readonly to: string;
  readonly accountName: string;
  /** `null`: the mail can't link to the account pages. */
  readonly pagesUrl: string | null;
  readonly content: MailedContent;
  readonly messageId: string;
}

interface NoticeText {
  readonly subject: string;
  readonly sentence: string;
  readonly page?: LinkedPage;
}

/** A path below the account pages, and its label. */
interface LinkedPage {
  readonly path: string;
  readonly label: string;
}

/** The mail that an owner of the account gets for a notice. */
export function noticeMail({ to, accountName, pagesUrl, content, messageId }: NoticeToOwner): Mail {
  const name = withoutLinks(accountName);
  const { subject, sentence, page } = textOf(content, name);
  const links: Paragraph[] =
    pagesUrl === null || !page ? [] : [{ label: page.label, link: pagesUrl + page.path }];
  const settings: Paragraph =
    pagesUrl === null
      ? `You receive this email as an owner of the account "${name}".`
      : {
          label: `You receive this email as an owner of the account "${name}". Manage notifications`,
          link: `${pagesUrl}/settings`,
        };
  return {
    kind: content.kind,
    to,
    subject,
    messageId,
    paragraphs: [sentence, ...links, settings],
    ...(pagesUrl !== null && { settings: `${pagesUrl}/settings` }),
  };
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

function count(number: number): string {
  return numbers.format(number);
}

function credits(number: number): string {
  return `${count(number)} ${number === 1 ? 'credit' : 'credits'}`;
}

function dollars(cents: number): string {
  return money.format(cents / 100);
}

function day(time: string): string {
  return days.format(new Date(time));
}

function moment(time: string): string {
  return `${moments.format(new Date(time))} UTC`;
}
