import { existsSync, readFileSync } from 'node:fs';
import { composeMail, mailKinds } from './mail.js';

const paragraphs = [
  'First, <b>"you" & me</b>.',
  { label: 'Open <it>', link: 'https://a.example/?a=1&b="2"' },
  { label: 'Code', shown: '123 456' },
];
const mail = composeMail({ subject: 'Hello', paragraphs }, 'Who Is Who');

it('says the same as text and as HTML', () => {
  expect(mail.text).toBe(
    'First, <b>"you" & me</b>.\n\nOpen <it>:\n\nhttps://a.example/?a=1&b="2"\n\nCode:\n\n123 456\n\n-- \nWho Is Who\n',
  );
  expect(mail.html).toContain('<p>First, &#60;b&#62;&#34;you&#34; &#38; me&#60;/b&#62;.</p>');
  expect(mail.html).toContain('<a href="https://a.example/?a=1&#38;b=&#34;2&#34;">Open &#60;it&#62;</a>');
  expect(mail.html).toMatch(/Code: <strong [^>]*>123 456<\/strong>/);
});

it('shows no name in another direction than it was written', () => {
  const name = 'Acme \u202egnp.exe';
  const { subject, text, html } = composeMail({ subject: name, paragraphs: [name] }, 'Who Is Who');
  for (const shown of [subject, text, html]) {
    expect(shown).toContain('Acme gnp.exe');
    expect(shown).not.toContain('\u202e');
  }
});

it('loads nothing from elsewhere', () => {
  expect(mail.html).not.toMatch(/<img|<script|<link|url\(/);
});

/** The rows of the table below "## Mail" in docs/security.md. */
function documentedMails(): string[][] {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('\n## Mail\n');
  const [lines = ''] = section.split('\n## ');
  const rows = lines.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('each mail has a row in docs/security.md with its limits for an account, an address and a network', () => {
  const rows = documentedMails();
  expect(rows.map(([kind]) => kind?.replaceAll('`', ''))).toEqual(Object.keys(mailKinds));
  for (const row of rows) {
    expect(row).toHaveLength(6);
    expect(row.filter((cell) => cell === '')).toEqual([]);
  }
});

it('each limit is shown by a test that exists', () => {
  for (const row of documentedMails()) {
    const tests = [...(row.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '');
    expect(tests).not.toEqual([]);
    expect(tests.filter((path) => !existsSync(`apps/billing/src/${path}.int-spec.ts`))).toEqual([]);
  }
});
