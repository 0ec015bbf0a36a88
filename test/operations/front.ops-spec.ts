import { freePort, freePorts, inheritedEnvironment, ServiceReplica, type Stack } from '#dev';
import { eventually } from '#testing';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { Front, missingForFront, ScriptedGateway } from './support/front.js';
import { startOperatedStack } from './support/operated-stack.js';

const missing = missingForFront();
if (missing !== null && process.env.CI) throw new Error(missing);
const suite = missing === null ? describe : describe.skip;

/** The front notices within two seconds; Go keeps what it has read of a file for five. */
const noticedMs = 10_000;

suite(`the front${missing === null ? '' : ` (${missing})`}`, () => {
  let stack: Stack;
  let front: Front;
  let gatewayPort: number;
  let added: ServiceReplica | undefined;

  beforeAll(async () => {
    gatewayPort = await freePort();
    stack = await startOperatedStack({ publicPort: gatewayPort, environment: { TRUST_PROXY: '1' } });
    const port = (url = '') => Number(new URL(url).port);
    front = await Front.start({
      gateway: gatewayPort,
      website: port(stack.siteUrl),
      health: port(stack.internalUrls.gateway[0]),
    });
  }, 120_000);
  beforeEach(() => front.route('127.0.0.1'));
  afterAll(async () => {
    await front?.stop();
    await added?.stop();
    await stack?.stop();
  });

  const headersOf = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

  it('serves the API, the endpoint for models, the reference and the pages from one origin, and names no software', async () => {
    const paths = ['/api/public/v1/search', '/mcp', '/docs', '/llms.txt', '/openapi.json', '/register', '/'];
    const answers = await Promise.all(paths.map((path) => front.send(path)));
    expect(answers.map(({ status }) => status)).toEqual([401, 405, 200, 200, 200, 404, 200]);
    const kinds = answers.map(({ headers }) => headers['content-type']?.split(';')[0]);
    const [json, html] = ['application/json', 'text/html'];
    expect(kinds).toEqual([json, json, html, 'text/plain', json, json, html]);
    for (const { headers } of answers) expect(Object.keys(headers)).not.toContain('server');

    const [response] = (await once(get(`http://localhost:${front.httpPort}/docs`), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    expect([response.statusCode, response.headers.location]).toEqual([308, 'https://localhost/docs']);
  });

  it('finds a gateway that was added, and fails no call when one is killed', async () => {
    const { id, key } = await createFundedAccount({ credits: 100 });
    const catalog = new SuiteCatalog();
    const creator = catalog.record('one');
    await catalog.importVisible([creator]);
    const profile = () => front.send(`/api/public/v1/creators/${creator.slug}`, headersOf(key));

    added = await startGateway('127.0.0.2');
    const received = async () => (await fetch(`${added?.internalUrl}/metrics`)).text();
    front.route('127.0.0.1', '127.0.0.2');
    await eventually(async () => {
      await profile();
      expect(await received()).toMatch(/http_request_duration_seconds_count\{.*status="200"/);
    }, noticedMs);

    const before = await admin.balance(id);
    added.kill('SIGKILL');
    await added.exited;
    const calls = await Promise.all(Array.from({ length: 10 }, () => profile()));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
    const last = calls.map(
      ({ text }) => (JSON.parse(text) as { credits_remaining: number }).credits_remaining,
    );
    expect(Math.min(...last)).toBe(before - 10);
  }, 60_000);

  it('never sends a call again that a gateway has begun, also on a connection that worked before', async () => {
    let isBroken = false;
    const reply = () => (isBroken ? null : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const gateways = await Promise.all(
      ['127.0.0.3', '127.0.0.4'].map((address) => ScriptedGateway.listen(address, gatewayPort, reply)),
    );
    front.route('127.0.0.3', '127.0.0.4');
    await eventually(async () => expect((await front.send('/api/first')).text).toBe('ok'), noticedMs);
    isBroken = true;

    for (const method of ['GET', 'POST']) {
      const { status, headers, text } = await front.send(`/api/${method}`, {
        method,
        headers: { 'idempotency-key': 'one' },
      });
      expect({ status, again: headers['retry-after'], text }).toEqual({
        status: 503,
        again: '1',
        text: '{"error":"The service is temporarily unavailable; try again shortly."}',
      });
      const heads = gateways.flatMap((gateway) => gateway.heads);
      expect(heads.filter((head) => head.startsWith(`${method} /api/${method} `))).toHaveLength(1);
    }
    for (const gateway of gateways) gateway.close();
  }, 30_000);

  it('ends a call at the gateway when its client leaves, and tells gateways who called', async () => {
    const endless = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbegun';
    const gateway = await ScriptedGateway.listen('127.0.0.5', gatewayPort, () => endless);
    front.route('127.0.0.5');
    const left = new AbortController();
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const ask = () => front.send('/api/left', { signal: left.signal, headers });
    // Until the front has noticed, the real gateway answers.
    let answer = ask();
    await eventually(async () => {
      await Promise.race([answer, eventually(() => expect(gateway.heads).toHaveLength(1))]);
      if (gateway.heads.length === 0) answer = ask();
      expect(gateway.heads).toHaveLength(1);
    }, noticedMs);
    left.abort();
    await expect(answer).rejects.toThrow('aborted');
    await eventually(() => expect(gateway.closed).toBe(1));
    expect(gateway.heads[0]).toMatch(/^X-Forwarded-For: 127\.0\.0\.1\r$/im);
    gateway.close();
  }, 30_000);

  async function startGateway(host: string): Promise<ServiceReplica> {
    const [internalPort = 0, adminPort = 0] = await freePorts(2);
    const replica = new ServiceReplica({
      service: 'gateway',
      index: 1,
      internalPort,
      logDirectory: stack.logDirectory,
      environment: inheritedEnvironment(process.env, {
        NODE_ENV: 'production',
        SERVICE_REDIS_URL: stack.redisUrl,
        SITE_URL: stack.siteUrl,
        PUBLIC_URL: stack.publicUrl,
        ADMIN_TOKEN: stack.adminToken,
        HOST: host,
        PORT: String(gatewayPort),
        ADMIN_PORT: String(adminPort),
        INTERNAL_HOST: '127.0.0.1',
        TRUST_PROXY: '1',
      }),
    });
    await replica.waitUntilReady();
    return replica;
  }
});
