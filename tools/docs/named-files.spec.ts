import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, localLinks, tableBelow } from './markdown.fixture.js';

const roots = ['apps', 'libs', 'docs', 'deploy', 'test', 'bench'];
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(root, file)),
  ),
];

/** A decision says what was when it was taken: files have moved since. */
const isHistory = (page: string): boolean => page.startsWith('docs/decisions/');

/** Files and folders of this project in code marks, from its root: `apps/gateway/src/main.ts`. */
const namedFile = /`((?:apps|libs|test|tools|bench|deploy|docs)\/[\w./-]+\.\w+)`/g;

describe.each(pages.filter((page) => !isHistory(page)))('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('names only files that exist', () => {
    const named = [...text.matchAll(namedFile)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('links only to files that exist, and to headings that they have', () => {
    const broken = localLinks(text).filter(({ file, anchor }) => {
      const target = file === '' ? page : join(dirname(page), file);
      if (!existsSync(target)) return true;
      return anchor !== null && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
    });
    expect(broken.map(({ file, anchor }) => `${file}#${anchor ?? ''}`)).toEqual([]);
  });
});

it('each attack on the account pages names tests that exist', () => {
  const tests = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /spec\.tsx?$/.test(file)),
  );
  for (const [attack, , names = ''] of tableBelow(
    readFileSync('docs/security.md', 'utf8'),
    'The account pages',
  )) {
    const named = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const missing = named.filter((name) => !tests.some((file) => `/${file}`.includes(`/${name}.`)));
    expect({ attack, named: named.length > 0, missing }).toEqual({ attack, named: true, missing: [] });
  }
});

it('docs/security.md has a bound for every table', () => {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('\n### How tables grow\n');
  const [rows = ''] = section.split('\n## ');
  const bound = [...rows.matchAll(/^\| (`.+`) +\| \w/gm)].flatMap(([, tables = '']) =>
    tables.match(/[\w.]+/g),
  );
  const created = ['billing', 'catalog'].flatMap((schema) => {
    const statements = readFileSync(`docs/schema/${schema}.sql`, 'utf8').matchAll(/^CREATE TABLE (\w+) \(/gm);
    return [...statements].map(([, table]) => `${schema}.${table}`);
  });
  expect(bound.sort()).toEqual(created.sort());
});
