import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { fetchOnce, runOrThrow } from '#dev';

/** The programs that JavaScript runs in, by the npm package that holds nothing else. */
const packages = {
  // Those that the packages `node`, `bun` and `deno` depend on; only `node` names Apple's processors differently.
  node: () =>
    `${platform() === 'darwin' && arch() === 'arm64' ? 'node-bin' : 'node'}-${platform()}-${arch()}`,
  bun: () => `@oven/bun-${platform()}-${arch() === 'arm64' ? 'aarch64' : arch()}`,
  deno: () => `@deno/${platform()}-${arch()}${platform() === 'linux' ? '-glibc' : ''}`,
} as const;
const files = { node: 'bin/node', bun: 'bin/bun', deno: 'deno' } as const;

export type Runtime = keyof typeof packages;

/** The program in exactly this version, from the npm registry, fetched once. Throws when there is none, or no network. */
export async function fetchProgram(runtime: Runtime, version: string): Promise<string> {
  if (runtime === 'node' && version === process.versions.node) return process.execPath;
  const name = packages[runtime]();
  const directory = await fetchOnce(folderOf(runtime, version), async (target) => {
    await runOrThrow('npm', [
      ...['install', '--prefix', target, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'],
      `${name}@${version}`,
    ]);
    return true;
  });
  if (directory === null) throw new Error(`${runtime} ${version} could not be fetched.`);
  return join(directory, 'node_modules', name, files[runtime]);
}

const registryPatienceMs = 10_000;
let doesRegistryAnswer: boolean | undefined;

/**
 * Whether `fetchProgram` can give the program: it is here already, or the npm registry answers. Blocks until that is known,
 * so that a test can be skipped when it is not.
 */
export function isProgramWithinReach(runtime: Runtime, version: string): boolean {
  if (runtime === 'node' && version === process.versions.node) return true;
  if (existsSync(resolve('.local/packages', folderOf(runtime, version)))) return true;
  doesRegistryAnswer ??= asksRegistry();
  return doesRegistryAnswer;
}

function asksRegistry(): boolean {
  const bounds = ['--fetch-retries=0', `--fetch-timeout=${registryPatienceMs}`];
  return spawnSync('npm', ['view', 'bun', 'name', ...bounds], { stdio: 'ignore' }).status === 0;
}

function folderOf(runtime: Runtime, version: string): string {
  return `${runtime}-${version}`;
}
