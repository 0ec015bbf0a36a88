import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { isPortFree } from './ports.js';
import { isAlive } from '../processes/run.js';
import { startRedis } from './redis.js';

describe('startRedis', () => {
  it('answers, and leaves neither a process nor a port nor a file when it is stopped', async () => {
    const server = await startRedis();
    const client = new Redis(server.url);
    expect(await client.ping()).toBe('PONG');
    const [, directory] = (await client.config('GET', 'dir')) as [string, string];
    await client.quit();
    expect(existsSync(directory)).toBe(true);

    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(await isPortFree(server.port)).toBe(true);
    expect(existsSync(directory)).toBe(false);
  });

  it('comes back on the same port after it was killed, empty', async () => {
    const server = await startRedis();
    const first = server.pid;
    const client = new Redis(server.url);
    client.on('error', () => undefined);
    await client.set('name', 'value');

    server.kill('SIGKILL');
    await server.exited;
    await server.restart();

    expect(server.pid).not.toBe(first);
    expect(await client.get('name')).toBeNull();
    await client.quit();
    await server.stop();
  });
});
