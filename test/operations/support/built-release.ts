import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run, runOrThrow } from '@app/local-stack';
import { type Release } from '../../../tools/version/releases.js';

/**
 * A built checkout of the services of a release. It is kept in `.local/releases`, because its sources never change. Throws when
 * the clone does not have its commit and can't fetch it.
 */
export async function builtRelease({ version, commit }: Release): Promise<string> {
  const directory = resolve('.local/releases', `${version}-${commit.slice(0, 12)}`);
  const built = join(directory, `built-on-${process.versions.node}`);
  if (existsSync(built)) return directory;
  await haveCommit(commit);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const archive = join(directory, 'sources.tar');
  await runOrThrow('git', ['archive', '--output', archive, commit]);
  await runOrThrow('tar', ['-x', '-f', archive, '-C', directory]);
  rmSync(archive);
  // Else the release's own build installs what it needs.
  if (hasSamePackages(directory)) symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const build = ['tools/task.mjs', 'build', 'gateway', 'catalog', 'billing'];
  await runOrThrow(process.execPath, build, { cwd: directory });
  writeFileSync(built, '');
  return directory;
}

async function haveCommit(commit: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await run('git', ['cat-file', '-e', `${commit}^{commit}`])).code === 0;
  if (await isThere()) return;
  const { output } = await run('git', ['fetch', '--depth', '1', 'origin', commit]);
  if (await isThere()) return;
  throw new Error(
    `This clone lacks commit ${commit} of the last release (releases.json): run \`git fetch --unshallow\`, or check out with ` +
      `\`fetch-depth: 0\`. Fetching it alone failed:\n${output}`,
  );
}

/** Whether it needs exactly the packages that are installed here. */
function hasSamePackages(directory: string): boolean {
  if (lstatSync('node_modules').isSymbolicLink()) return false;
  const packagesOf = (file: string): string => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> };
    // The first is the project itself, with its version.
    return JSON.stringify(Object.entries(packages).filter(([path]) => path !== ''));
  };
  return packagesOf(join(directory, 'package-lock.json')) === packagesOf('package-lock.json');
}
