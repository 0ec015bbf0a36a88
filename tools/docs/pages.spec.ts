import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { subscribedEvents } from '#checkout';
import { limits, limitTable } from '../../apps/gateway/src/limits.js';
import { tableBelow } from './markdown.js';

const schemas = ['billing', 'catalog'];

/** The tables of a service, of its schema as PostgreSQL dumps it. */
function tablesOf(schema: string): string[] {
  const dump = readFileSync(`docs/schema/${schema}.sql`, 'utf8');
  return [...dump.matchAll(/^CREATE TABLE (\w+) \(/gm)].map(([, table = '']) => `${schema}.${table}`);
}

it('docs/security.md has a bound for every table', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const [, section = ''] = /^### How tables grow$([^]*?)^## /m.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const bound = rows.flatMap((row) => {
    const [, tables = '', rule = ''] = row.split('|');
    expect(rule.trim()).not.toBe('');
    return [...tables.matchAll(/`([\w.]+)`/g)].map(([, table]) => table);
  });
  expect(bound.sort()).toEqual(schemas.flatMap(tablesOf).sort());
});

it('docs/security.md has the limits of the gateway', () => {
  const rows = Object.entries(limitTable).map(([name, [value, what, purpose]]) => [
    `\`${name}\``,
    typeof value === 'number' ? String(value) : `${value.calls} in ${value.seconds} s`,
    what,
    purpose,
  ]);
  expect(tableBelow(readFileSync('docs/security.md', 'utf8'), 'Limits of the gateway')).toEqual(rows);
});

it('docs/api.md and the guide have the limits of calls', () => {
  const { keyCalls, freeCalls, unpayableSearches } = limits;
  const [api, guide] = ['docs/api.md', 'docs/guides/prices-and-limits.md'].map((page) =>
    readFileSync(page, 'utf8'),
  );
  const any = `in any ${keyCalls.seconds} seconds`;
  for (const limit of ['searches', 'look-ups', 'other free calls (balance, usage, calls, filters)']) {
    expect(api).toContain(`${keyCalls.calls} ${limit} ${any}`);
  }
  expect(api).toContain(`${freeCalls.calls} free searches and profiles`);
  expect(api).toContain(`${unpayableSearches.calls} such\nsearches an hour`);
  expect(guide).toContain(`${keyCalls.calls} searches a minute for each key, ${keyCalls.calls} look-ups`);
});

const selling = readFileSync('docs/selling.md', 'utf8');

function below(heading: string): string {
  const [, text = ''] = selling.split(`\n## ${heading}\n`);
  return text.split(/\n##+ /)[0] ?? '';
}

it('docs/selling.md names the events that billing acts on', () => {
  const named = below('What to set in the Dashboard').matchAll(/`((?:checkout|charge|refund)\.[\w.]+)`/g);
  expect([...named].map(([, event]) => event).sort()).toEqual([...subscribedEvents].sort());
});

it('docs/selling.md has a row for each right of the key', () => {
  const rights = tableBelow(selling, 'What the key needs').map(([right, access]) => `${right}: ${access}`);
  expect(rights).toEqual([
    'Checkout Sessions: _Write_',
    'PaymentIntents: _Read_',
    'Charges: _Read_',
    'Charges: _Write_',
    'Disputes: _Read_',
    'Events: _Read_',
  ]);
});

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

/** Files that documented commands write into the directory in which they are run. */
function writtenFiles(page: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  const targets = blocks.flatMap((code) => [
    ...code.matchAll(/(?:--output|--etag-save|--dump-header|\s>>?) "?((?:\$SLUG|\w[\w-]*)\.\w+)/g),
  ]);
  return targets.map(([, file = '']) => file.replace('$SLUG', 'mira-solenne'));
}

it('files that documented commands write are ignored by git', () => {
  const files = pages.flatMap(writtenFiles);
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    expect(() => execFileSync('git', ['check-ignore', '--quiet', '--no-index', file])).not.toThrow();
  }
});
