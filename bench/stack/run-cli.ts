import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { type Stack } from '@app/local-stack';
import { memoryOf } from './processes.js';

const cli = 'dist/tools/tools/cli/main.js';
const memoryPollMs = 10;

export interface CliRun {
  readonly seconds: number;
  /** Resident memory at its highest. */
  readonly megabytes: number;
}

/** A command of an operator, in a process of its own; its output is read and dropped. Throws when it does not succeed. */
export async function runCli(
  { adminUrl, adminToken }: Pick<Stack, 'adminUrl' | 'adminToken'>,
  parameters: readonly string[],
): Promise<CliRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, ...parameters], {
    env: { ...process.env, ADMIN_URL: adminUrl, ADMIN_TOKEN: adminToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.resume();
  let megabytes = 0;
  const poll = setInterval(() => {
    if (child.pid !== undefined) megabytes = Math.max(megabytes, memoryOf(child.pid).highestMb);
  }, memoryPollMs);
  child.once('exit', () => clearInterval(poll));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${parameters.join(' ')} ended with ${String(code)}`);
  return { seconds: (performance.now() - startedAt) / 1_000, megabytes };
}
