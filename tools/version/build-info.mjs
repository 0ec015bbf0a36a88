import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What dist/ was built from; `libs/platform` reads it. */
const buildInfoFile = 'dist/build.json';

/**
 * The version in package.json, and the commit of the sources: of `COMMIT` (the images, whose build has no repository), or of the
 * repository, with `-dirty` when files differ from it; else `unknown`.
 *
 * @param {string} root
 */
function readBuildInfo(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = process.env.COMMIT || commitOfRepository(root) || 'unknown';
  return { version, commit };
}

/**
 * Writes it, unless it is there already: services may be reading it.
 *
 * @param {string} root
 */
export function recordBuildInfo(root) {
  const file = join(root, buildInfoFile);
  const text = `${JSON.stringify(readBuildInfo(root))}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @param {string} root */
function commitOfRepository(root) {
  try {
    // The sources may have been unpacked inside another repository.
    if (realpathSync(git(root, 'rev-parse', '--show-toplevel')) !== realpathSync(root)) return null;
    const isDirty = git(root, 'status', '--porcelain') !== '';
    return git(root, 'rev-parse', 'HEAD') + (isDirty ? '-dirty' : '');
  } catch {
    return null; // No repository, no commit yet, or no git.
  }
}

/**
 * @param {string} root
 * @param {readonly string[]} parameters
 */
function git(root, ...parameters) {
  return execFileSync('git', parameters, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
