import { type MailKind } from './mail-kinds.js';

/** A mail to one person, as text and as simple HTML with the same words. */
export interface Mail {
  readonly kind: MailKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * What its Message-ID begins with: the same for every attempt to send it, so that a second copy is recognizable. Default:
   * one of its own.
   */
  readonly messageId?: string;
}

/** A paragraph: words, a link with what it leads to, or something to be read off, such as a code. */
export type Paragraph =
  | string
  | { readonly link: string; readonly label: string }
  | { readonly shown: string; readonly label: string };

interface Words {
  readonly kind: MailKind;
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly messageId?: string;
}

const signature = 'Creator Search';

/** A mail of these words. */
export function composeMail({ kind, to, subject, paragraphs, messageId }: Words): Mail {
  return {
    kind,
    to,
    subject,
    text: [...paragraphs.map(asText), `-- \n${signature}`, ''].join('\n\n').trimEnd() + '\n',
    html: page([...paragraphs, signature].map(asHtml).join('\n')),
    ...(messageId === undefined ? {} : { messageId }),
  };
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
