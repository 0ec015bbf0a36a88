import { type Transporter } from 'nodemailer';
import { logUrl } from '../../config/mail-url.js';
import { type MailQueue } from './mail.js';

/** Injection token of `MailOptions`. */
export const MAIL_OPTIONS = Symbol('MAIL_OPTIONS');

/** How mail is sent, from the configuration of the service. */
export interface MailOptions {
  /** The URL of the SMTP server, or `logUrl`; `undefined` if no mail is sent. */
  readonly url: string | undefined;
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

const connectTimeoutMs = 10_000;
/** Time without a byte from the server after which a connection is closed. */
const silenceMs = 20_000;

/**
 * Connects when the first mail is sent, by so many connections of a replica for each queue. Loads nodemailer, which takes a moment,
 * only where there is a mail server.
 */
export async function openSmtpTransport({ url }: MailOptions): Promise<SmtpTransports | null> {
  if (url === undefined || url === logUrl) return null;
  const { createTransport } = await import('nodemailer');
  const open = (maxConnections: number): Transporter =>
    createTransport({
      url,
      pool: true,
      maxConnections,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
    });
  return { sign_in: open(3), invitation: open(1), notice: open(2) };
}
