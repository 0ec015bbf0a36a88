import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files that dependency-cruiser checks. */
const folders = ['apps', 'libs', 'tools', 'bench', 'test'];

/** One side of a rule: patterns, or lists of which one has to match. */
interface Side {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
}

interface Rule {
  readonly name: string;
  readonly from?: Side;
  readonly to?: Side;
}

export interface RulesReport {
  readonly count: number;
  readonly problems: readonly string[];
}

/**
 * Checks the rules of the `.dependency-cruiser.json` in a directory. A rule whose pattern matches no file silently
 * protects nothing: each such side is a problem.
 */
export function judgeDependencyRules(directory: string): RulesReport {
  const { forbidden } = JSON.parse(readFileSync(join(directory, '.dependency-cruiser.json'), 'utf8')) as {
    forbidden: readonly Rule[];
  };
  const files = folders.flatMap((folder) => filesBelow(directory, folder));
  const problems = forbidden.flatMap(({ name, from, to }) => [
    ...problemsOf(from, files).map((problem) => `${name}, from: ${problem}`),
    ...problemsOf(to, files).map((problem) => `${name}, to: ${problem}`),
  ]);
  return { count: forbidden.length, problems };
}

function filesBelow(directory: string, folder: string): string[] {
  if (!existsSync(join(directory, folder))) return [];
  return readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}

function problemsOf(side: Side | undefined, files: readonly string[]): string[] {
  const paths = patternsIn(side?.path);
  const exceptions = patternsIn(side?.pathNot);
  const unmatched = [...paths, ...exceptions].filter(
    (pattern) => !files.some((file) => matcher(pattern).test(file)),
  );
  if (unmatched.length > 0) return unmatched.map((pattern) => `${pattern} matches no file`);
  if (paths.length === 0 || exceptions.some((pattern) => /\$\d/.test(pattern))) return [];
  const isSelected = (file: string): boolean =>
    paths.some((pattern) => matcher(pattern).test(file)) &&
    !exceptions.some((pattern) => matcher(pattern).test(file));
  return files.some(isSelected) ? [] : [`${paths.join(', ')} matches only excluded files`];
}

function patternsIn(given: string | readonly string[] = []): readonly string[] {
  return typeof given === 'string' ? [given] : given;
}

/** `$1` stands for what the other side of its rule has captured. */
function matcher(pattern: string): RegExp {
  return new RegExp(pattern.replace(/\$\d/g, '[^/]+'));
}
