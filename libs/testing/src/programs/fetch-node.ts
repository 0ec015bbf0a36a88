import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fetchOnce, runOrThrow } from '@app/local-stack';

/**
 * The program `node` of exactly this version, from the npm registry, fetched once. Throws when there is none, or no
 * network.
 */
export async function fetchNode(version: string): Promise<string> {
  if (version === process.versions.node) return process.execPath;
  // The package that `node` itself depends on; only the one for Apple's processors is named differently.
  const prefix = platform() === 'darwin' && arch() === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${platform()}-${arch()}`;
  const directory = await fetchOnce(`node-${version}`, async (target) => {
    await runOrThrow('npm', [
      ...['install', '--prefix', target, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'],
      `${name}@${version}`,
    ]);
    return true;
  });
  if (directory === null) throw new Error(`Node.js ${version} could not be fetched.`);
  return join(directory, 'node_modules', name, 'bin/node');
}
