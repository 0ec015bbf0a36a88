import { delimiter, join } from 'node:path';
import { fetchDistributionPackage, isExecutable } from './fetch-packages.js';
import { run } from '../processes/run.js';

export interface RedisProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const versionMin = 7;
const programNames = ['redis-server', 'valkey-server'];
const extraDirectories = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin'];
let found: Promise<RedisProgram> | undefined;

/** Redis or Valkey 7 or later: from this machine, else unpacked from the distribution's package. */
export function findRedis(): Promise<RedisProgram> {
  found ??= find();
  return found;
}

async function find(): Promise<RedisProgram> {
  const environment = process.env;
  const directories = [...(environment.PATH ?? '').split(delimiter), ...extraDirectories];
  for (const path of directories.flatMap((directory) => programNames.map((name) => join(directory, name)))) {
    if (await isSuitable(path, environment)) return { path, environment };
  }
  for (const name of ['redis-server', 'valkey-server']) {
    const unpacked = await fetchDistributionPackage(name);
    if (unpacked === null) continue;
    const path = join(unpacked.root, 'usr/bin', name);
    if (await isSuitable(path, unpacked.environment)) return { path, environment: unpacked.environment };
  }
  throw new Error(
    `No Redis or Valkey ${versionMin} or later was found. Install one (Debian and Ubuntu: apt-get install redis-server; ` +
      'macOS: brew install redis) or set SERVICE_REDIS_URL.',
  );
}

async function isSuitable(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (!isExecutable(path)) return false;
  const { code, output } = await run(path, ['--version'], { env: environment });
  return code === 0 && Number(/v=(\d+)/.exec(output)?.[1] ?? 0) >= versionMin;
}
