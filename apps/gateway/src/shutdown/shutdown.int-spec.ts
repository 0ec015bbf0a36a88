import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { charge, getProfile, ServiceError, settle, WithBytes } from '#contracts';
import { gate, until } from '#testing';
import { GatewayProcess } from '../fixtures/gateway-process.fixture.js';
import { acknowledged, PublicApiFixture } from '../fixtures/public-api.fixture.js';

// A gateway that stops has up to eight seconds.
jest.setTimeout(30_000);

/** Far below every time limit of a shutdown, on a busy machine too. */
const promptMs = 8_000;
const profile = '/api/public/v1/creators/luna';

const api = PublicApiFixture.forSuite();
let gateway: GatewayProcess;

afterEach(() => gateway?.stop());

async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  gateway = await GatewayProcess.start(api.redis.url, environment);
}

function authorization(): { authorization: string } {
  return { authorization: `Bearer ${api.key}` };
}

/** `asked` resolves when the gateway first requests a charge, which is answered when `answer` is called. */
function holdCharge(): { asked: Promise<void>; answer: () => void } {
  const [asked, answer] = [gate(), gate()];
  api.services.on(charge, async ({ credits }) => {
    asked.open();
    await answer.opened;
    return { outcome: 'charged' as const, credits_used: credits, credits_remaining: 50 };
  });
  return { asked: asked.opened, answer: answer.open };
}

it('a call in progress is answered, and no connection that is kept alive keeps the process alive', async () => {
  await start();
  const agent = new Agent({ keepAlive: true });
  const call = async (): Promise<IncomingMessage> => {
    const request = get(gateway.publicUrl + profile, { agent, headers: authorization() });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  await Promise.all((await Promise.all([call(), call()])).map((response) => text(response)));
  await api.outcomes(2);
  const { asked, answer } = holdCharge();
  const called = call();
  await asked;
  const ended = gateway.terminate();
  await until(() => gateway.log.includes('stopping'));
  answer();
  const response = await called;
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  await text(response);
  expect(await ended).toBeLessThan(promptMs);
  expect(await api.settlements.next()).toMatchObject({ outcome: 'posted' });
  expect(gateway.log).toContain('stopped');
  agent.destroy();
});

it('paid calls are settled even when billing answers late', async () => {
  await start({ REQUEST_DEADLINE_MS: '1000' });
  let isBack = false;
  const settled = new Promise<string>((resolve) => {
    api.services.on(settle, ({ settlements }) => {
      if (!isBack) throw new ServiceError('unavailable', 'Billing is away.');
      resolve(settlements.map(({ outcome }) => outcome).join());
      return acknowledged(settlements);
    });
  });
  await (await fetch(gateway.publicUrl + profile, { headers: authorization() })).text();
  const ended = gateway.terminate();
  await Promise.race([delay(1_500), ended]);
  isBack = true;
  expect(await Promise.race([settled, ended])).toBe('posted');
  await ended;
  expect(gateway.log).toContain('stopped');
});

it('a client that does not read its answer to the end is cut off in time, and pays nothing', async () => {
  await start({ SHUTDOWN_MS: '6000', REQUEST_DEADLINE_MS: '4000' });
  const bytes = Buffer.from(JSON.stringify({ tagline: 'x'.repeat(12_000_000) }));
  api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
  const { hostname, port } = new URL(gateway.publicUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${profile} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
  await once(socket, 'readable');
  const tookMs = await gateway.terminate();
  expect(tookMs).toBeGreaterThan(4_400);
  expect(await api.settlements.next()).toMatchObject({ account_id: 'account-1', outcome: 'voided' });
  expect(gateway.log).toContain('stopped');
  socket.destroy();
});

it("a gateway that can't close ends at the hard limit", async () => {
  await start({ SHUTDOWN_MS: '2000', REQUEST_DEADLINE_MS: '1000' });
  api.redis.kill('SIGSTOP');
  try {
    const tookMs = await gateway.terminate();
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(promptMs);
    expect(gateway.log).toContain('did not stop in time');
  } finally {
    api.redis.kill('SIGCONT');
  }
});
