import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let root: string;
const commit = '0123456789abcdef0123456789abcdef01234567';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-info-'));
  writeFileSync(join(root, 'package.json'), '{ "version": "7.8.9" }');
  writeFileSync(join(root, '.gitignore'), 'dist/');
});
afterEach(() => rmSync(root, { recursive: true }));

/** What the program writes for the sources in `directory`. */
function builtFrom(directory: string, environment: Readonly<Record<string, string>> = {}): unknown {
  execFileSync(process.execPath, [resolve('tools/version/record-build-info.mjs')], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment },
  });
  return JSON.parse(readFileSync(join(directory, 'dist/build.json'), 'utf8'));
}

function git(...parameters: string[]): string {
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  return execFileSync('git', [...author, ...parameters], { cwd: root, encoding: 'utf8' }).trim();
}

function commitAll(): string {
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'all');
  return git('rev-parse', 'HEAD');
}

it('in a repository it is the commit, and says when files differ from it', () => {
  const head = commitAll();
  expect(builtFrom(root)).toEqual({ version: '7.8.9', commit: head });
  writeFileSync(join(root, 'new.ts'), '');
  expect(builtFrom(root)).toEqual({ version: '7.8.9', commit: `${head}-dirty` });
});

it('of an image it is what the build was given, else unknown; the same is not written again: services may be reading it', () => {
  const writtenAt = (): bigint => statSync(join(root, 'dist/build.json'), { bigint: true }).mtimeNs;
  expect(builtFrom(root, { COMMIT: '' })).toEqual({ version: '7.8.9', commit: 'unknown' });
  expect(builtFrom(root, { COMMIT: commit })).toEqual({ version: '7.8.9', commit });
  const first = writtenAt();
  builtFrom(root, { COMMIT: commit });
  expect(writtenAt()).toBe(first);
});
