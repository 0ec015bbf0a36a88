import { type Transporter } from 'nodemailer';
import { type MailOptions } from './mail-options.js';

/** Injects the connections to the mail server; `null` without one. */
export const SMTP = Symbol('SMTP');

const connectionsMax = 5;
const connectTimeoutMs = 10_000;
/** Without a byte from the server. */
const silenceMs = 20_000;

/** Connects when the first mail is sent. Loads the library, which takes a moment, only where there is a mail server. */
export async function openSmtpTransport({ server }: MailOptions): Promise<Transporter | null> {
  if (server?.kind !== 'smtp') return null;
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, isTlsRequired, login } = server;
  return createTransport({
    pool: true,
    maxConnections: connectionsMax,
    host,
    port,
    secure: isSecure,
    requireTLS: isTlsRequired,
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
  });
}
