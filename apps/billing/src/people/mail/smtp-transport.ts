import { type Transporter } from 'nodemailer';
import { connectionsOf, type MailQueue } from './mail-kinds.js';
import { type MailOptions } from './mail-options.js';

/** Injects the connections to the mail server; `null` without one. */
export const SMTP = Symbol('SMTP');

/** Mails of one queue never wait for a connection that those of another hold. */
export type SmtpTransports = Readonly<Record<MailQueue, Transporter>>;

const connectTimeoutMs = 10_000;
/** Without a byte from the server. */
const silenceMs = 20_000;

/** Connects when the first mail is sent. Loads the library, which takes a moment, only where there is a mail server. */
export async function openSmtpTransport({ server }: MailOptions): Promise<SmtpTransports | null> {
  if (server?.kind !== 'smtp') return null;
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, isTlsRequired, login } = server;
  const open = (maxConnections: number): Transporter =>
    createTransport({
      pool: true,
      maxConnections,
      host,
      port,
      secure: isSecure,
      requireTLS: isTlsRequired,
      ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
    });
  const { sign_in, invitation, notice } = connectionsOf;
  return { sign_in: open(sign_in), invitation: open(invitation), notice: open(notice) };
}
