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
});
