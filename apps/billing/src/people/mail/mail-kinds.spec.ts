import { existsSync, readFileSync } from 'node:fs';
import { mailKinds } from './mail-kinds.js';

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
