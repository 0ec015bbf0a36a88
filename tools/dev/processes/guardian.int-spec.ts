import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { eventually } from '#testing';
import { isAlive } from './run.js';

// Servers are started by a program of their own, and end after it.
jest.setTimeout(30_000);

/** A program that starts both servers, prints where they are, and then idles. */
const program = `
  import { startPostgres, startRedis } from '#dev';
  const servers = await Promise.all([startRedis(), startPostgres()]);
  console.log(JSON.stringify(servers.map(({ pid }) => pid)));
  setInterval(() => undefined, 1_000);
`;

/** A process that ended but has not been reaped by the init process yet does not count. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && isAlive(pid);
}

describe('servers', () => {
  it('do not outlive the program that started them, even when that is killed', async () => {
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(line.toString()) as number[];
    expect(pids.map(isRunning)).toEqual([true, true]);

    owner.kill('SIGKILL');
    await eventually(() => expect(pids.map(isRunning)).toEqual([false, false]), 10_000);
  });
});
