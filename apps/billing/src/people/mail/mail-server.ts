import { type Transporter } from 'nodemailer';
import { type MailQueue } from './mail.js';

/** Where mails are sent to: an SMTP server, or the log, for development. */
export type MailServer = SmtpServer | { readonly kind: 'log' };

/** Injection token of `MailOptions`. */
export const MAIL_OPTIONS = Symbol('MAIL_OPTIONS');

/** How mail is sent, from the configuration of the service. */
export interface MailOptions {
  /** `null`: no mail is sent. */
  readonly server: MailServer | null;
  /** The sender of every mail: `Name <address>`, or an address. */
  readonly from: string;
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
/** Without a byte from the server. */
const silenceMs = 20_000;

export interface SmtpServer {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS, where the server offers it. */
  readonly isSecure: boolean;
  /** Refuse a server that does not offer STARTTLS. */
  readonly isTlsRequired: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/**
 * Reads `smtp://user:password@host:port`, `smtps://...` or `log:`; `null` for anything else. `?requireTLS=true` is the only
 * parameter: nodemailer's own would switch off certificate checks, or log mails.
 */
export function parseMailUrl(text: string): MailServer | null {
  if (text === 'log:') return { kind: 'log' };
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, hostname: host, port, search, pathname, hash } = url;
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return null;
  if (host === '' || !['', '/'].includes(pathname) || hash !== '') return null;
  if (search !== '' && search !== '?requireTLS=true') return null;
  const login = loginIn(url);
  if (login === undefined) return null;
  return {
    kind: 'smtp',
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPorts[protocol] : Number(port),
    isSecure: protocol === 'smtps:',
    isTlsRequired: search !== '',
    login,
  };
}

/** `undefined` if the user or the password is missing or malformed. */
function loginIn({ username, password }: URL): SmtpServer['login'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** Connects when the first mail is sent. Loads nodemailer, which takes a moment, only where there is a mail server. */
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
