import { once } from 'node:events';
import { connect } from 'node:net';
import { charge, getBalance, keyLimit, type Settlement } from '@app/contracts';
import { metricsText } from '@app/platform';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const paths = ['/creators/luna', '/search?q=luna'];
const tool = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_creator', arguments: { slug: 'luna' } },
};

describe('calls whose client disconnects before the answer has arrived', () => {
  let api: PublicApiFixture;

  beforeAll(async () => {
    api = await PublicApiFixture.start();
  });
  afterAll(() => api.stop());
  beforeEach(() => api.scriptSuccess());

  /** A paid call whose client resets the connection while it is being charged. */
  async function hangUp(path: string): Promise<Settlement> {
    const socket = connect(api.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const peerGone = new Promise<void>((resolve) => {
      api.services.on(charge, async ({ credits }) => {
        socket.resetAndDestroy();
        await peerGone;
        return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 9 };
      });
      void api.settlements.next().then((settlement) => {
        ended.push(settlement);
        resolve();
      });
    });
    const ended: Settlement[] = [];
    socket.write(`GET /api/public/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
    await peerGone;
    const [settlement] = ended;
    if (!settlement) throw new Error('the call was not settled');
    return settlement;
  }

  const abandoned = async (): Promise<number> =>
    Number(/charged_calls_total\{end="abandoned"[^}]*\} (\d+)/.exec((await metricsText()).text)?.[1] ?? 0);

  it('are free, and refused from the 61st in a minute on, for every paid operation and nothing else', async () => {
    const before = await abandoned();
    for (let count = 1; count < keyLimit.calls; count++) {
      expect((await hangUp(paths[count % paths.length] ?? '')).outcome).toBe('voided');
    }
    api.scriptSuccess();
    expect((await api.get('/creators/luna')).status).toBe(200);
    expect((await api.settlements.next()).outcome).toBe('posted');

    await hangUp('/creators/luna');
    expect((await abandoned()) - before).toBe(keyLimit.calls);
    api.scriptSuccess();
    api.services.on(getBalance, () => ({ credits_remaining: 9, lots: [] }));
    const refused = await eventuallyRefused('/creators/luna');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await refused.text()).toMatch(/^\{"error":"[^"]*disconnected from 60 calls[^"]*"\}$/);
    const charged = api.services.payloadsOf(charge).length;
    const result = await fetch(`${api.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${api.key}`,
      },
      body: JSON.stringify(tool),
    });
    expect(await result.text()).toContain('disconnected from 60 calls');
    expect((await api.get('/balance')).status).toBe(200);
    expect(api.services.payloadsOf(charge)).toHaveLength(charged);
  }, 30_000);

  /** The gateway hears from Redis a moment after the last one that there were too many. */
  async function eventuallyRefused(path: string): Promise<Response> {
    for (;;) {
      const response = await api.get(path);
      if (response.status === 429) return response;
      expect(response.status).toBe(200);
      expect((await api.settlements.next()).outcome).toBe('posted');
    }
  }
});
