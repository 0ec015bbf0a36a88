import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getProfile, ServiceError, settle, WithBytes } from '#contracts';
import { freePorts, ServiceReplica } from '#dev';
import { acknowledged, PublicApiFixture } from '../fixtures/public-api.fixture.js';

// That a roll-out loses no call: test/operations/outages.ops-spec.ts. A gateway that stops has up to eight seconds.
jest.setTimeout(30_000);

/** Far below every time limit of a shutdown, on a busy machine too. */
const promptMs = 8_000;
const profile = '/api/public/v1/creators/luna';

const api = PublicApiFixture.forSuite();
/** A gateway in a process of its own, as it is deployed. */
let gateway: ServiceReplica;
let publicUrl: string;
let logDirectory: string;

afterEach(async () => {
  gateway.kill('SIGKILL');
  await gateway.exited;
  rmSync(logDirectory, { recursive: true });
});

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const [port = 0, adminPort = 0, internalPort = 0] = await freePorts(3);
  publicUrl = `http://127.0.0.1:${port}`;
  logDirectory = mkdtempSync(join(tmpdir(), 'gateway-'));
  const own = { SERVICE_REDIS_URL: api.redis.url, PORT: String(port), ADMIN_PORT: String(adminPort) };
  const token = 'the-token-of-the-operator';
  gateway = new ServiceReplica({
    service: 'gateway',
    index: 0,
    internalPort,
    logDirectory,
    environment: { ...own, ADMIN_TOKEN: token, DRAIN_MS: '0', ...environment },
  });
  await gateway.waitUntilReady();
}

/** Resolves with the time from now to the end of the gateway, ms. */
async function terminate(): Promise<number> {
  const startedAt = performance.now();
  gateway.kill('SIGTERM');
  await gateway.exited;
  return performance.now() - startedAt;
}

/** The messages of its log, oldest first. */
function log(): string[] {
  const lines = readFileSync(join(logDirectory, 'gateway-0.log'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

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
  await (await fetch(publicUrl + profile, { headers: { authorization: `Bearer ${api.key}` } })).text();
  const ended = terminate();
  await Promise.race([delay(1_500), ended]);
  isBack = true;
  expect(await Promise.race([settled, ended])).toBe('posted');
  await ended;
  expect(log()).toContain('stopped');
});

it('a client that does not read its answer to the end is cut off in time, and pays nothing', async () => {
  await start({ SHUTDOWN_MS: '6000', REQUEST_DEADLINE_MS: '4000' });
  const bytes = Buffer.from(JSON.stringify({ tagline: 'x'.repeat(12_000_000) }));
  api.services.on(getProfile, () => new WithBytes({ found: true }, bytes));
  const { hostname, port } = new URL(publicUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${profile} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
  await once(socket, 'readable');
  const tookMs = await terminate();
  expect(tookMs).toBeGreaterThan(4_400);
  expect(await api.settlements.next()).toMatchObject({ account_id: 'account-1', outcome: 'voided' });
  expect(log()).toContain('stopped');
  socket.destroy();
});

it("a gateway that can't close ends at the hard limit", async () => {
  await start({ SHUTDOWN_MS: '2000', REQUEST_DEADLINE_MS: '1000' });
  api.redis.kill('SIGSTOP');
  try {
    const tookMs = await terminate();
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(promptMs);
    expect(log()).toContain('did not stop in time');
  } finally {
    api.redis.kill('SIGCONT');
  }
});
