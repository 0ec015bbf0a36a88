import { readFileSync } from 'node:fs';
import { type RateLimit } from '#contracts';
import { limits, limitTable } from '../../apps/gateway/src/limits.js';
import { limitTable as websiteLimits } from '../../apps/website/src/limits.js';
import { tableBelow } from './markdown.fixture.js';

it.each(['gateway', 'website'] as const)('docs/security.md has the limits of the %s', (name) => {
  const table: Readonly<Record<string, readonly [number | RateLimit, string, string]>> =
    name === 'gateway' ? limitTable : websiteLimits;
  const rows = Object.entries(table).map(([limit, [value, what, purpose]]) => [
    `\`${limit}\``,
    typeof value === 'number' ? String(value) : `${value.calls} in ${value.seconds} s`,
    what,
    purpose,
  ]);
  expect(tableBelow(readFileSync('docs/security.md', 'utf8'), `Limits of the ${name}`)).toEqual(rows);
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
