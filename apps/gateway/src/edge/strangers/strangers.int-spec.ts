import { connect, type Socket } from 'node:net';
import { metricsText, newToken } from '@app/platform';
import { until } from '@app/testing';
import { OpenExchanges } from '../connections/exchange.js';
import { PublicApiFixture } from '../../fixtures/public-api.fixture.js';

// The slower the machine, the longer a flood takes to be held back.
jest.setTimeout(60_000);

const attackers = 32;

describe('a flood of requests without a key', () => {
  let api: PublicApiFixture;
  let sockets: Socket[];
  beforeAll(async () => {
    api = await PublicApiFixture.start();
    api.scriptSuccess();
  });
  afterAll(() => api?.stop());
  beforeEach(() => (sockets = []));
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  /** Asks again as soon as it is answered, for what no answer is kept of: it takes the more time, the slower the machine. */
  function attack(): void {
    const socket = connect({ port: api.port, host: '127.0.0.1' });
    sockets.push(socket);
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
    socket.on('error', () => undefined).on('connect', ask);
    socket.on('data', ask);
  }

  async function heldSoFar(): Promise<number> {
    const { text } = await metricsText();
    return Number(/http_strangers_held_total\{outcome="admitted"\} (\d+)/.exec(text)?.[1] ?? 0);
  }

  it('waits once its network has caused its share of work; calls with a known key from there do not', async () => {
    expect((await api.get('/creators/luna')).status).toBe(200);
    for (let count = 0; count < attackers; count += 1) attack();
    await until(async () => (await heldSoFar()) > attackers, 20_000);
    for (let call = 0; call < 20; call += 1) expect((await api.get('/creators/luna')).status).toBe(200);
  });

  it('waits without its body being read, and is gone when its client is', async () => {
    for (let count = 0; count < attackers; count += 1) attack();
    await until(async () => (await heldSoFar()) > 2 * attackers, 20_000);
    for (const socket of sockets) socket.destroy();
    await until(() => OpenExchanges.of(api.server).count === 0);
  });
});
