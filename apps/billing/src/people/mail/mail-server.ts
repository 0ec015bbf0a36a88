import { type Transporter } from 'nodemailer';
import { type MailQueue } from './mail.js';

/** Where mails are sent to: an SMTP server, or the log, for development. */
export type MailServer = SmtpServer | { readonly kind: 'log' };

/** Injection token of `MailOptions`. */
export const MAIL_OPTIONS = Symbol('MAIL_OPTIONS');

/** How mail is sent, from the configuration of the service. */
export interface MailOptions {
  /** The mail server; `null` if no mail is sent. */
  readonly server: MailServer | null;
  /** The sender of every mail: `Name <address>`, or an address. */
  readonly from: string;
  /** The name of the service, as mails say it. */
  readonly product: string;
  /** Where customers reach the account pages, for links; `null`: unknown. */
  readonly pagesUrl: string | null;
}

/** Injection token of `SmtpTransports`; `null` without an SMTP server. */
export const SMTP = Symbol('SMTP');

/** A mail of one queue never waits for a connection that another queue uses. */
export type SmtpTransports = Readonly<Record<MailQueue, Transporter>>;

/** Connections to the mail server, of each replica. */
const connectionsOf = { sign_in: 3, invitation: 1, notice: 2 } as const satisfies Record<MailQueue, number>;

const connectTimeoutMs = 10_000;
/** Time without a byte from the server after which a connection is closed. */
const silenceMs = 20_000;

interface SmtpServer {
  readonly kind: 'smtp';
  /** URL of the mail server, as nodemailer reads it. */
  readonly url: string;
}

/**
 * Reads `smtp://user:password@host:port`, `smtps://...` or `log:`; `null` for anything else. `?requireTLS=true` is the only
 * parameter: nodemailer's own would switch off certificate checks, or log mails.
 */
export function parseMailUrl(text: string): MailServer | null {
  if (text === 'log:') return { kind: 'log' };
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, search, pathname, hash, username, password, href: url } = new URL(text);
  const isServer = ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && hash === '';
  const isPlain = ['', '/'].includes(pathname) && ['', '?requireTLS=true'].includes(search);
  const isLoginWhole = (username === '') === (password === '') && isDecodable(`${username} ${password}`);
  return isServer && isPlain && isLoginWhole ? { kind: 'smtp', url } : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Connects when the first mail is sent. Loads nodemailer, which takes a moment, only where there is a mail server. */
export async function openSmtpTransport({ server }: MailOptions): Promise<SmtpTransports | null> {
  if (server?.kind !== 'smtp') return null;
  const { createTransport } = await import('nodemailer');
  const open = (maxConnections: number): Transporter =>
    createTransport({
      url: server.url,
      pool: true,
      maxConnections,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
    });
  const { sign_in, invitation, notice } = connectionsOf;
  return { sign_in: open(sign_in), invitation: open(invitation), notice: open(notice) };
}
