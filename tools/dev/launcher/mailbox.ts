import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ReceivedMail, startMailServer } from '../servers/mail-server.js';

const keptMax = 200;
const host = '127.0.0.1';
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/**
 * A mail server on this machine, and a page that shows its latest mails, which are kept in memory. Throws where NODE_ENV is
 * `production`: there, mails have to reach their readers.
 */
export async function startMailbox() {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The local mailbox does not run where NODE_ENV is production.');
  }
  const mails: string[] = [];
  const smtp = await startMailServer((mail) => {
    mails.unshift(shown(mail, new Date()));
    mails.length = Math.min(mails.length, keptMax);
  });
  const http = createServer((request, response) => {
    // A site whose name leads to this machine would send its own name, and must not read the mails.
    const isOwn = [host, 'localhost'].includes(request.headers.host?.split(':', 1)[0] ?? '');
    response.writeHead(isOwn ? 200 : 403, headers).end(isOwn ? page(mails) : '');
  });
  await once(http.listen(0, host), 'listening');
  return {
    /** The value for `MAIL_URL`. */
    mailUrl: smtp.url,
    /** Where mails can be read. */
    url: `http://${host}:${(http.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      http.closeAllConnections();
      await Promise.all([new Promise((closed) => http.close(closed)), smtp.stop()]);
    },
  };
}

/** A mail as text, with its links. */
function shown({ to, subject, text }: ReceivedMail, at: Date): string {
  const body = escaped(text).replace(
    /https?:\/\/[^\s<>]*[^\s<>.,;:)]/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
  const time = at.toTimeString().slice(0, 8);
  return `<article><h2>${escaped(subject)}</h2><p>to ${escaped(to)}, ${time}</p><pre>${body}</pre></article>`;
}

/** All mails, the newest first. */
function page(mails: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
  article { border-top: 1px solid; }
  pre { font: inherit; white-space: pre-wrap; }
</style>
</head>
<body><main><h1>Mailbox</h1>
<p>All emails of the local stack. None of them leaves this machine, and they are deleted when it stops.</p>
${mails.join('\n') || '<p>No mail yet. Reload this page.</p>'}
</main></body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
