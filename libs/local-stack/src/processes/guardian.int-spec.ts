import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that starts both servers, tells where they are, and then does nothing. */
const program = `
  import { importTypeScript } from './tools/bootstrap/import-typescript.mjs';
  const { startPostgres, startRedis } = await importTypeScript('libs/local-stack/src/index.ts');
  const servers = await Promise.all([startRedis(), startPostgres()]);
  console.log(JSON.stringify(servers.map(({ pid }) => pid)));
  setInterval(() => undefined, 1_000);
`;

function isAlive(pid: number): boolean {
  // A process that ended but has not been reaped by the machine's first process yet is no server any more.
  if (!existsSync(`/proc/${pid}`)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('servers', () => {
  it('do not outlive the program that started them, even when that is killed', async () => {
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(line.toString()) as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);

    owner.kill('SIGKILL');
    const deadline = performance.now() + 10_000;
    while (pids.some(isAlive) && performance.now() < deadline) await delay(20);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });
});
