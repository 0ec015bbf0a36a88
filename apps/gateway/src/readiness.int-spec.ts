import { freePort, freePorts, startRedis } from '#dev';
import { createLogger } from '#platform';
import { eventually, Metrics } from '#testing';
import { PublicApiFixture } from './fixtures/public-api.fixture.js';
import { readGatewayConfig } from './config/gateway-config.js';
import { startGateway } from './start-gateway.js';

const timeoutMs = 20_000;

interface Health {
  readonly status: number;
  readonly body: {
    readonly checks: Readonly<Record<string, string>>;
    readonly redis: string;
    readonly replicas: unknown;
  };
}

type Ports = Readonly<Record<'PORT' | 'ADMIN_PORT' | 'INTERNAL_PORT', string>>;

async function chosenPorts(): Promise<Ports> {
  const [port, adminPort, internalPort] = (await freePorts(3)).map(String);
  return { PORT: port ?? '', ADMIN_PORT: adminPort ?? '', INTERNAL_PORT: internalPort ?? '' };
}

/** A gateway as its process runs it, with all of its ports, before the Redis of another fixture. */
async function start(SERVICE_REDIS_URL: string, ports: Ports, DRAIN_MS = '0') {
  const ADMIN_TOKEN = 'the-token-of-the-operator';
  const config = readGatewayConfig({
    SERVICE_REDIS_URL,
    ADMIN_TOKEN,
    DRAIN_MS,
    LOG_LEVEL: 'fatal',
    ...ports,
  });
  return startGateway(config, createLogger({ service: 'gateway', level: 'fatal', pretty: false }));
}

const origin = (port: string): string => `http://127.0.0.1:${port}`;

async function ready(internalUrl: string): Promise<Health> {
  const response = await fetch(`${internalUrl}/health/ready`);
  return { status: response.status, body: (await response.json()) as Health['body'] };
}

async function live(internalUrl: string): Promise<number> {
  return (await fetch(`${internalUrl}/health/live`)).status;
}

describe('a gateway that has started once', () => {
  let api: PublicApiFixture;
  let gateway: Awaited<ReturnType<typeof start>>;
  let internalUrl: string;
  let publicUrl: string;

  const call = (): Promise<Response> =>
    fetch(`${publicUrl}/api/public/v1/creators/luna`, {
      headers: { authorization: `Bearer ${api.key}` },
    });

  beforeAll(async () => {
    api = await PublicApiFixture.start();
    api.scriptSuccess();
    const ports = await chosenPorts();
    [publicUrl, internalUrl] = [origin(ports.PORT), origin(ports.INTERNAL_PORT)];
    gateway = await start(api.redis.url, ports);
  });
  afterAll(async () => {
    await gateway?.close();
    await api?.stop();
  });
  afterEach(async () => {
    await eventually(async () => expect((await ready(internalUrl)).body.redis).toBe('ok'), timeoutMs);
    await eventually(async () => expect((await call()).status).toBe(200), timeoutMs);
  });

  it('stays ready while Redis is away, says so, and answers in its own words', async () => {
    expect(await ready(internalUrl)).toMatchObject({
      status: 200,
      body: { redis: 'ok', replicas: { billing: 1, catalog: 1 } },
    });
    api.redis.kill('SIGKILL');
    await api.redis.exited;
    await eventually(async () => expect((await ready(internalUrl)).body.redis).not.toBe('ok'), timeoutMs);
    expect(await ready(internalUrl)).toMatchObject({
      status: 200,
      body: { checks: { started: 'ok' } },
    });
    expect((await Metrics.of(internalUrl)).sum('redis_connected')).toBe(0);
    expect(await live(internalUrl)).toBe(200);
    const answer = await call();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('try again') as string });
    await api.redis.restart();
    await eventually(async () => expect((await ready(internalUrl)).body.redis).toBe('ok'), timeoutMs);
  });

  it('reports in time that it is ready while Redis hangs', async () => {
    api.redis.kill('SIGSTOP');
    try {
      const response = await fetch(`${internalUrl}/health/ready`, {
        signal: AbortSignal.timeout(1_900),
      });
      expect(response.status).toBe(200);
      expect(((await response.json()) as Health['body']).redis).not.toBe('ok');
    } finally {
      api.redis.kill('SIGCONT');
    }
  });
});

describe('a gateway', () => {
  it('is not ready before it has started, nor once it is about to stop', async () => {
    const [port, ports] = [await freePort(), await chosenPorts()];
    const internalUrl = origin(ports.INTERNAL_PORT);
    const starting = start(`redis://127.0.0.1:${port}`, ports, '1000');
    await eventually(async () => expect(await live(internalUrl)).toBe(200), timeoutMs);
    expect(await ready(internalUrl)).toMatchObject({
      status: 503,
      body: { checks: { started: 'starting' } },
    });
    const redis = await startRedis({ port });
    try {
      const gateway = await starting;
      expect((await ready(internalUrl)).status).toBe(200);
      const closing = gateway.close();
      expect(await ready(internalUrl)).toMatchObject({
        status: 503,
        body: { checks: { started: 'draining' } },
      });
      expect(await live(internalUrl)).toBe(200);
      await closing;
    } finally {
      await redis.stop();
    }
  });
});
