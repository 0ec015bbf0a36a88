import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap/paths.mjs';

/*
 * A rule whose pattern matches no file protects nothing, and nobody notices: names what .dependency-cruiser.json has of
 * them. Another directory than this checkout may be given.
 */
const directory = process.argv[2] ?? root;
const rooms = ['apps', 'libs', 'tools', 'bench', 'test'];

function files(room) {
  if (!existsSync(join(directory, room))) return [];
  return readdirSync(join(directory, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1));
}

/** `$1` stands for what the other side of its rule has captured. */
function matcher(pattern) {
  return new RegExp(pattern.replace(/\$\d/g, '[^/]+'));
}

/** What is wrong with one side of a rule: `path` and `pathNot` are patterns, or lists of which one has to match. */
function* problemsOf(side, all) {
  const paths = [side?.path ?? []].flat();
  const exceptions = [side?.pathNot ?? []].flat();
  const unmatched = [...paths, ...exceptions].filter(
    (pattern) => !all.some((file) => matcher(pattern).test(file)),
  );
  for (const pattern of unmatched) yield `${pattern} matches no file`;
  if (unmatched.length > 0 || paths.length === 0 || exceptions.some((pattern) => /\$\d/.test(pattern)))
    return;
  const isSelected = (file) =>
    paths.some((pattern) => matcher(pattern).test(file)) &&
    !exceptions.some((pattern) => matcher(pattern).test(file));
  if (!all.some(isSelected)) yield `${paths.join(', ')} matches only what is excepted`;
}

const { forbidden } = JSON.parse(readFileSync(join(directory, '.dependency-cruiser.json'), 'utf8'));
const all = rooms.flatMap(files);
const problems = forbidden.flatMap((rule) =>
  ['from', 'to'].flatMap((side) =>
    [...problemsOf(rule[side], all)].map((problem) => `${rule.name}, ${side}: ${problem}`),
  ),
);
if (problems.length > 0) {
  process.stderr.write(
    `Rules of .dependency-cruiser.json that protect nothing:\n  ${problems.join('\n  ')}\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(`${forbidden.length} rules for dependencies, each of which can be broken\n`);
}
