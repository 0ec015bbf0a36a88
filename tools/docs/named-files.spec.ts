import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const roots = ['apps', 'libs', 'docs', 'deploy', 'test', 'bench'];
const pages = [
  ...['README.md', 'CONTRIBUTING.md'],
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
/** Links to other files: [text](../place.md#part). */
const link = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

describe.each(pages.filter((page) => !isHistory(page)))('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('names files that are there', () => {
    const named = [...text.matchAll(namedFile)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('links to files that are there', () => {
    const linked = [...text.matchAll(link)].map(([, file = '']) => join(dirname(page), file));
    expect(linked.filter((file) => !existsSync(file))).toEqual([]);
  });
});
