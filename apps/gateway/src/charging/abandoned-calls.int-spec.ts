import { charge, getBalance, keyLimit, type Settlement } from '@app/contracts';
import { gate, until } from '@app/testing';
import { metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';

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

  const charges = (): number => api.services.payloadsOf(charge).length;
  const abandoned = (): Promise<number> => metric('charged_calls_total{end="abandoned"');

  /** A paid call whose client resets the connection while it is being charged: how it was settled. */
  async function hangUp(path: string): Promise<Settlement['outcome'] | undefined> {
    const socket = await api.open();
    const settled = gate();
    const before = charges();
    api.answerCharges({}, settled.opened);
    socket.write(api.written(path));
    await until(() => charges() > before);
    socket.resetAndDestroy();
    const [outcome] = await api.outcomes(1);
    settled.open();
    return outcome;
  }

  it('are free, and refused from the 61st in a minute on, for every paid operation and nothing else', async () => {
    const before = await abandoned();
    for (let count = 1; count < keyLimit.calls; count++) {
      expect(await hangUp(paths[count % paths.length] ?? '')).toBe('voided');
    }
    api.scriptSuccess();
    expect((await api.get('/creators/luna')).status).toBe(200);
    expect(await api.outcomes(1)).toEqual(['posted']);

    await hangUp('/creators/luna');
    expect((await abandoned()) - before).toBe(keyLimit.calls);
    api.scriptSuccess();
    api.services.on(getBalance, () => ({ credits_remaining: 9, lots: [] }));
    const refused = await eventuallyRefused('/creators/luna');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused.text()).toMatch(/^\{"error":"[^"]*disconnected from 60 calls[^"]*"\}$/);
    const charged = charges();
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
    expect(charges()).toBe(charged);
  }, 30_000);

  /** The gateway learns from Redis, a moment after the last call, that there were too many. */
  async function eventuallyRefused(path: string): Promise<Response> {
    for (;;) {
      const response = await api.get(path);
      if (response.status === 429) return response;
      expect(response.status).toBe(200);
      expect(await api.outcomes(1)).toEqual(['posted']);
    }
  }
});
