/** Where mail is handed over: an SMTP server, or the log, for development. */
export type MailServer = SmtpServer | { readonly kind: 'log' };

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
 * parameter: the library's own would switch off checks of certificates, or write mails to the log.
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

/** `undefined` for one that is not whole. */
function loginIn({ username, password }: URL): SmtpServer['login'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
