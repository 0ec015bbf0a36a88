import { newToken } from '#platform';
import { until } from '#testing';
import { OpenExchanges } from '../connections/exchange.js';
import { metric, PublicApiFixture } from '../../fixtures/public-api.fixture.js';

// The slower the machine, the longer a flood takes to be held back.
jest.setTimeout(60_000);

const attackers = 32;

describe('a flood of requests without a key', () => {
  const api = PublicApiFixture.forSuite();
  afterEach(() => api.disconnect());

  /** Asks again as soon as it is answered, for what no answer is kept of: it takes the more time, the slower the machine. */
  async function attack(): Promise<void> {
    const socket = await api.open();
    const ask = (): void => {
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: newToken(), version: '1' },
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const head = ['POST /mcp HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
      socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
    };
    socket.on('data', ask);
    ask();
  }

  /** Let in after a while, or refused: the slower the machine, the more of them. */
  const heldSoFar = (): Promise<number> => metric('http_strangers_held_total{outcome=');

  it('waits once its network has caused its share of work; calls with a known key from there do not', async () => {
    expect((await api.get('/creators/luna')).status).toBe(200);
    for (let count = 0; count < attackers; count += 1) await attack();
    await until(async () => (await heldSoFar()) > attackers, 20_000);
    for (let call = 0; call < 20; call += 1) expect((await api.get('/creators/luna')).status).toBe(200);
  });

  it('waits without its body being read, and is gone when its client is', async () => {
    for (let count = 0; count < attackers; count += 1) await attack();
    await until(async () => (await heldSoFar()) > 2 * attackers, 20_000);
    api.disconnect();
    await until(() => OpenExchanges.of(api.server).count === 0);
  });
});
