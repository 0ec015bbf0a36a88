import { type ReadMail } from '#local-stack';

/** A mail as it came, with the address that the server was told. */
export interface KeptMail extends ReadMail {
  readonly id: number;
  readonly to: string;
  readonly at: Date;
}

const style = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
  .note { border: 1px solid; padding: 0.5rem 0.8rem; }
  pre { font: inherit; white-space: pre-wrap; }
  li { margin: 0.5rem 0; }
`;

/** All mails, the newest first. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  const items = mails.map(
    ({ id, to, subject, at }) =>
      `<li><a href="/${id}">${escaped(subject)}</a><br>to ${escaped(to)}, ${time(at)}</li>`,
  );
  const list = items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>No mail yet. Reload this page.</p>';
  return page('Mailbox', `<h1>Mailbox</h1>${note}${list}`);
}

/** One mail as text, with its links. */
export function mailPage({ to, subject, text, at }: KeptMail): string {
  const body = escaped(text).replace(
    /https?:\/\/[^\s<>]*[^\s<>.,;:)]/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
  return page(
    subject,
    `<p><a href="/">All mails</a></p><h1>${escaped(subject)}</h1><p>to ${escaped(to)}, ${time(at)}</p><pre>${body}</pre>`,
  );
}

const note =
  '<p class="note">All emails of the local stack. None of them leaves this machine, and they are deleted when it stops.</p>';

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
}

function time(at: Date): string {
  return at.toTimeString().slice(0, 8);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
