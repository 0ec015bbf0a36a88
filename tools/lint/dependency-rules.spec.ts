import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { judgeDependencyRules } from './dependency-rules.js';

interface Side {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
  readonly circular?: boolean;
}

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rules-'));
  for (const file of ['apps/one/src/main.ts', 'apps/two/src/main.ts', 'libs/shared/src/index.spec.ts']) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), '');
  }
});
afterEach(() => rmSync(directory, { recursive: true }));

function problemsOf(rule: { readonly from: Side; readonly to: Side }): readonly string[] {
  const forbidden = [{ name: 'the-rule', severity: 'error', ...rule }];
  writeFileSync(join(directory, '.dependency-cruiser.json'), JSON.stringify({ forbidden }));
  return judgeDependencyRules(directory).problems;
}

it.each<[string, Side, Side]>([
  ['patterns that match', { path: '^libs/' }, { path: '^apps/' }],
  ['a captured part', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }],
  ['lists of patterns', { path: ['^libs/', '^apps/one/'] }, { path: '^apps/two/' }],
  ['no patterns at all', {}, { circular: true }],
])('accepts %s', (_what, from, to) => {
  expect(problemsOf({ from, to })).toEqual([]);
});

it.each<[string, Side, Side, string]>([
  ['where a rule begins', { path: '^lib/' }, { path: '^apps/' }, 'the-rule, from: ^lib/ matches'],
  ['where it ends', { path: '^libs/' }, { path: '\\.entity\\.ts$' }, 'the-rule, to: \\.entity\\.ts$ matches'],
  ['one of a list', { path: ['^libs/', '^bench/'] }, { path: '^apps/' }, 'from: ^bench/ matches no file'],
  ['an exception', { path: '^libs/', pathNot: '^libs/old/' }, {}, 'from: ^libs/old/ matches no file'],
  ['everything excepted', { path: '^libs/', pathNot: 'spec\\.ts$' }, {}, 'matches only excluded files'],
])('refuses a pattern that matches nothing: %s', (_what, from, to, problem) => {
  expect(problemsOf({ from, to }).join('\n')).toContain(problem);
});

it('accepts the rules of this project', () => {
  expect(judgeDependencyRules('.').problems).toEqual([]);
});
