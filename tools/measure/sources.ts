import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Lines of the files of one app or library, without its tests. */
export interface PartSize {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
}

export interface SourceSize {
  readonly parts: readonly PartSize[];
  readonly medianLines: number;
  readonly largestFile: string;
  /** By its files, without those of folders inside it. */
  readonly largestFolder: string;
  readonly testFiles: number;
  readonly testLines: number;
  readonly readmeLines: number;
}

interface SourceFile {
  readonly path: string;
  readonly lines: number;
}

const isTest = (path: string): boolean =>
  /(spec|\.fixture)\.tsx?$/.test(path) || /^(test|libs\/testing|libs\/stripe-stand-in)\//.test(path);
const isProduct = (path: string): boolean => /^(apps|libs)\//.test(path) && !isTest(path);

/** Sizes of the working tree, or of a revision of it. */
export function sizeOf(revision?: string): SourceSize {
  if (revision === undefined) return summarise(readFiles('.', git('ls-files', '-co', '--exclude-standard')));
  const directory = mkdtempSync(join(tmpdir(), 'measure-'));
  try {
    const archive = execFileSync('git', ['archive', revision], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', directory], { input: archive });
    return summarise(readFiles(directory, git('ls-tree', '-r', '--name-only', revision)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The files that a commit changed. */
export function filesOfCommit(revision: string): string[] {
  return git('show', '--name-only', '--format=', revision);
}

function git(...parameters: readonly string[]): string[] {
  return execFileSync('git', parameters, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

function readFiles(directory: string, paths: readonly string[]): SourceFile[] {
  const sources = paths.filter((path) => /\.tsx?$/.test(path) || path === 'README.md');
  return sources.flatMap((path) => {
    try {
      return [{ path, lines: readFileSync(join(directory, path), 'utf8').split('\n').length - 1 }];
    } catch {
      return []; // Removed, and not committed yet.
    }
  });
}

function summarise(files: readonly SourceFile[]): SourceSize {
  const product = files.filter(({ path }) => isProduct(path)).sort((one, other) => other.lines - one.lines);
  const tests = files.filter(({ path }) => isTest(path));
  const parts = group(product, (path) => path.split('/').slice(0, 2).join('/'));
  const folders = group(product, dirname).sort(([, one], [, other]) => other.length - one.length);
  const [folder, inFolder] = folders[0] ?? ['', []];
  return {
    parts: parts.sort().map(([name, own]) => ({ name, files: own.length, lines: sum(own) })),
    medianLines: product[Math.floor(product.length / 2)]?.lines ?? 0,
    largestFile: `${product[0]?.lines} ${product[0]?.path}`,
    largestFolder: `${inFolder.length} ${folder}`,
    testFiles: tests.length,
    testLines: sum(tests),
    readmeLines: sum(files.filter(({ path }) => path === 'README.md')),
  };
}

function sum(files: readonly SourceFile[]): number {
  return files.reduce((total, { lines }) => total + lines, 0);
}

function group(files: readonly SourceFile[], keyOf: (path: string) => string): [string, SourceFile[]][] {
  const groups = new Map<string, SourceFile[]>();
  for (const file of files) groups.set(keyOf(file.path), [...(groups.get(keyOf(file.path)) ?? []), file]);
  return [...groups];
}
