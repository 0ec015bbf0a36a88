import { PassThrough } from 'node:stream';
import { startRedis } from '#dev';
import { pino } from 'pino';
import { connectRedis, createRedis, type RedisConnection } from './create-redis.js';

/** `once` of node:events would raise the errors that an outage brings. */
function next(connection: RedisConnection, event: string): Promise<void> {
  return new Promise((resolve) => connection.once(event, () => resolve()));
}

it('an outage of Redis is logged in one line with address and reason, and its end in another, for all connections', async () => {
  const redis = await startRedis();
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = pino({ level: 'info' }, lines);
  const connections = [1, 2, 3].map(() => createRedis(redis.url, logger));
  await Promise.all(connections.map((connection) => connectRedis(connection, logger)));

  const lost = connections.map((connection) => next(connection, 'reconnecting'));
  redis.kill('SIGKILL');
  await redis.exited;
  await Promise.all(lost);
  await Promise.all(connections.map((connection) => next(connection, 'error')));
  const back = connections.map((connection) => next(connection, 'ready'));
  await redis.restart();
  await Promise.all(back);

  const address = `127.0.0.1:${redis.port}`;
  const logged = String(lines.read()).trim().split('\n');
  expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, msg: 'redis is away', address, reason: 'the connection was closed' },
    { level: 30, msg: 'redis is back', address },
  ]);
  for (const connection of connections) connection.disconnect();
  await redis.stop();
}, 30_000);

it('a Redis without TLS, and one that may drop messages, are named at the start', async () => {
  const redis = await startRedis({ settings: { 'maxmemory-policy': 'allkeys-lru' } });
  const lines = new PassThrough({ encoding: 'utf8' });
  const logger = pino({ level: 'info' }, lines);
  const plain = [1, 2].map(() => createRedis(redis.url, logger));
  for (const connection of plain) await connectRedis(connection, logger);
  const encrypted = createRedis(redis.url.replace('redis:', 'rediss:'), logger);
  void encrypted.connect().catch(() => undefined);
  await next(encrypted, 'reconnecting');
  const logged = String(lines.read()).trim().split('\n');
  expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, maxmemory_policy: 'allkeys-lru' },
    { level: 40, msg: 'redis is away', reason: expect.stringContaining('no answer over TLS') as string },
  ]);
  for (const connection of [...plain, encrypted]) connection.disconnect();
  await redis.stop();
}, 30_000);

it('a Redis that is not up yet is logged in one line, without its password', async () => {
  const lines = new PassThrough({ encoding: 'utf8' });
  const connection = createRedis('redis://user:hidden@127.0.0.1:1', pino({ level: 'info' }, lines));
  connection.connect().catch(() => undefined);
  for (let attempt = 0; attempt < 3; attempt += 1) await next(connection, 'reconnecting');
  const [line = '', ...others] = String(lines.read()).trim().split('\n');
  expect(line).toContain('"address":"127.0.0.1:1","reason":"connect ECONNREFUSED 127.0.0.1:1"');
  expect(others).toEqual([]);
  connection.disconnect();
});
