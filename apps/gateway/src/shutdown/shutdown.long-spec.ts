import { setTimeout as delay } from 'node:timers/promises';
import { authenticateKey, charge, getProfile, WithBytes } from '#contracts';
import { GatewayProcess } from '../fixtures/gateway-process.fixture.js';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const key = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456' };
/** Three answers that are this late take more than the ten seconds after which servers usually cut off. */
const lateMs = 3_700;

it('a gateway that stops answers a call that takes over 10 s more', async () => {
  const api = await PublicApiFixture.start();
  api.scriptSuccess();
  const gateway = await GatewayProcess.start(api.redis.url, { REQUEST_DEADLINE_MS: '15000' });
  let asked = (): void => undefined;
  const authenticating = new Promise<void>((resolve) => (asked = resolve));
  const slowly = async <Answer>(answer: Answer): Promise<Answer> => delay(lateMs, answer);
  api.services.on(authenticateKey, () => {
    asked();
    return slowly({ key });
  });
  api.services.on(getProfile, () => slowly(new WithBytes({ found: true }, Buffer.from('{"slug":"luna"}'))));
  api.services.on(charge, () =>
    slowly({ outcome: 'charged' as const, credits_used: 1, credits_remaining: 9 }),
  );
  const called = fetch(`${gateway.publicUrl}/api/public/v1/creators/luna`, {
    headers: { authorization: `Bearer ${api.key}` },
  });
  await authenticating;
  const ended = gateway.terminate();
  const response = await called;
  expect([response.status, await response.json()]).toMatchObject([200, { slug: 'luna' }]);
  expect(await ended).toBeGreaterThan(10_000);
  expect(await api.settlements.next()).toMatchObject({ outcome: 'posted' });
  expect(gateway.log).toContain('stopped');
  await gateway.stop();
  await api.stop();
}, 60_000);
