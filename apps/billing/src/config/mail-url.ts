/** The `MAIL_URL` with which mails are lines of the log, for development. */
export const logUrl = 'log:';

/**
 * Reads `smtp://user:password@host:port`, `smtps://...` or `log:`; `null` for anything else. `?requireTLS=true` is the only
 * parameter: nodemailer's own would switch off certificate checks, or log mails.
 */
export function parseMailUrl(text: string): string | null {
  if (text === logUrl) return text;
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, search, pathname, hash, username, password, href } = new URL(text);
  const isServer = ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && hash === '';
  const isPlain = ['', '/'].includes(pathname) && ['', '?requireTLS=true'].includes(search);
  const isLoginWhole = (username === '') === (password === '') && isDecodable(`${username} ${password}`);
  return isServer && isPlain && isLoginWhole ? href : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
