import { freePort, freePorts, startRedis } from '#dev';
import { createLogger } from '#platform';
import { eventually, Metrics } from '#testing';
import { PublicApiFixture } from './fixtures/public-api.fixture.js';
import { readGatewayConfig } from './config/gateway-config.js';
import { startGateway } from './start-gateway.js';

const timeoutMs = 20_000;
const ADMIN_TOKEN = 'the-token-of-the-operator';

interface Health {
  readonly checks: Readonly<Record<string, string>>;
  readonly redis: string;
  readonly replicas: unknown;
}

/** A gateway as its process runs it, with all of its ports, before the Redis of another fixture. */
async function start(SERVICE_REDIS_URL: string, DRAIN_MS = '0') {
  const [PORT = '', ADMIN_PORT = '', INTERNAL_PORT = ''] = (await freePorts(3)).map(String);
  const ports = { PORT, ADMIN_PORT, INTERNAL_PORT };
  const config = readGatewayConfig({ SERVICE_REDIS_URL, ADMIN_TOKEN, DRAIN_MS, ...ports });
  const logger = createLogger({ service: 'gateway', level: 'fatal', pretty: false });
  const [publicUrl, internalUrl] = [PORT, INTERNAL_PORT].map((port) => `http://127.0.0.1:${port}`);
  return { publicUrl, internalUrl, started: startGateway(config, logger) };
}

async function ready(internalUrl = ''): Promise<[status: number, body: Health]> {
  const response = await fetch(`${internalUrl}/health/ready`, { signal: AbortSignal.timeout(1_900) });
  return [response.status, (await response.json()) as Health];
}

const live = async (internalUrl = ''): Promise<number> => (await fetch(`${internalUrl}/health/live`)).status;

const api = PublicApiFixture.forSuite();

it('a gateway that has started once stays ready while Redis hangs or is away, says so, and answers in its own words', async () => {
  const { publicUrl, internalUrl, started } = await start(api.redis.url);
  const gateway = await started;
  const call = (): Promise<Response> =>
    fetch(`${publicUrl}/api/public/v1/creators/luna`, { headers: { authorization: `Bearer ${api.key}` } });
  const replicas = { billing: 1, catalog: 1 };
  expect(await ready(internalUrl)).toMatchObject([200, { redis: 'ok', replicas }]);

  api.redis.kill('SIGSTOP');
  const [status, { redis }] = await ready(internalUrl);
  expect([status, redis]).toEqual([200, expect.not.stringMatching(/^ok$/)]);
  api.redis.kill('SIGCONT');

  api.redis.kill('SIGKILL');
  await api.redis.exited;
  await eventually(async () => expect((await ready(internalUrl))[1].redis).not.toBe('ok'), timeoutMs);
  expect(await ready(internalUrl)).toMatchObject([200, { checks: { started: 'ok' } }]);
  expect((await Metrics.of(internalUrl ?? '')).sum('redis_connected')).toBe(0);
  expect(await live(internalUrl)).toBe(200);
  const answer = await call();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await answer.json()).toEqual({ error: expect.stringContaining('try again') as string });

  await api.redis.restart();
  await eventually(async () => expect((await call()).status).toBe(200), timeoutMs);
  await gateway.close();
});

it('a gateway is not ready before it has started, nor once it is about to stop', async () => {
  const port = await freePort();
  const { internalUrl, started } = await start(`redis://127.0.0.1:${port}`, '1000');
  await eventually(async () => expect(await live(internalUrl)).toBe(200), timeoutMs);
  expect(await ready(internalUrl)).toMatchObject([503, { checks: { started: 'starting' } }]);
  const redis = await startRedis({ port });
  const gateway = await started;
  expect((await ready(internalUrl))[0]).toBe(200);
  const closing = gateway.close();
  expect(await ready(internalUrl)).toMatchObject([503, { checks: { started: 'draining' } }]);
  expect(await live(internalUrl)).toBe(200);
  await closing;
  await redis.stop();
});
