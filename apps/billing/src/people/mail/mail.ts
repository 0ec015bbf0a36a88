import { withoutDirections } from '#contracts';

/**
 * Every mail that is sent, and the queue that it waits in. The limits of each are in docs/security.md, which a test compares with
 * this list: a mail without a limit is a way to flood a mailbox.
 */
export const mailKinds = {
  sign_in: { queue: 'sign_in' },
  email_change: { queue: 'sign_in' },
  email_changed: { queue: 'sign_in' },
  account_closed: { queue: 'sign_in' },
  invitation: { queue: 'invitation' },
  balance_low: { queue: 'notice' },
  lot_expiring: { queue: 'notice' },
  key_limit_near: { queue: 'notice' },
  key_limit_reached: { queue: 'notice' },
  payment_received: { queue: 'notice' },
  webhook_removed: { queue: 'notice' },
} as const;

export type MailKind = keyof typeof mailKinds;

/** Each queue has its own connections to the mail server, so that none waits for another. */
export type MailQueue = (typeof mailKinds)[MailKind]['queue'];

/** A mail to one person. */
export interface Mail {
  readonly kind: MailKind;
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  /** Begins the Message-ID, which is the same for every attempt, so that a second copy is recognized. Default: random. */
  readonly messageId?: string;
  /** The page on which the recipient ends mails of this kind, for mail programs to link to. */
  readonly settings?: string;
}

/** A paragraph: text, a labelled link, or a labelled value to read, such as a code. */
export type Paragraph =
  | string
  | { readonly link: string; readonly label: string }
  | { readonly shown: string; readonly label: string };

/** A mail as text and as simple HTML with the same words; each ends with the name of the service (`PRODUCT_NAME`). */
export function composeMail({ subject, paragraphs }: Pick<Mail, 'subject' | 'paragraphs'>, product: string) {
  return {
    subject: withoutDirections(subject),
    text: withoutDirections([...paragraphs.map(asText), `-- \n${product}`, ''].join('\n\n').trimEnd() + '\n'),
    html: withoutDirections(page([...paragraphs, product].map(asHtml).join('\n'))),
  };
}

const nameLengthMax = 80;

/** A name that a customer has chosen, for use in a mail: short, and without links. */
export function withoutLinks(name: string): string {
  const characters = [...name.replace(/:\/\/|www\./giu, ' ')];
  return characters.length > nameLengthMax
    ? `${characters.slice(0, nameLengthMax - 1).join('')}…`
    : characters.join('');
}

function asText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  const value = 'link' in paragraph ? paragraph.link : paragraph.shown;
  return `${paragraph.label}:\n\n${value}`;
}

function asHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`;
  const label = escapeHtml(paragraph.label);
  if ('link' in paragraph) return `<p><a href="${escapeHtml(paragraph.link)}">${label}</a></p>`;
  return `<p>${label}: <strong style="font-size: 20px; letter-spacing: 2px">${escapeHtml(paragraph.shown)}</strong></p>`;
}

function page(body: string): string {
  const style = 'font: 16px/1.5 system-ui, sans-serif; max-width: 560px; margin: 24px auto; padding: 0 16px';
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body style="${style}">\n${body}\n</body></html>\n`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
