import { createHash } from 'node:crypto';
import { charge, type ChargeRequest, searchCreators } from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const api = PublicApiFixture.forSuite();

function call(path: string, ...idempotencyKeys: string[]): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${api.key}` });
  for (const one of idempotencyKeys) headers.append('idempotency-key', one);
  return api.get(path, { headers });
}

/** The last charge that billing was asked for. */
function lastCharge(): ChargeRequest | undefined {
  return api.services.payloadsOf(charge).at(-1);
}

it('a call with an Idempotency-Key sends billing hashes: of the API key with the Idempotency-Key, and of what is called', async () => {
  await call('/creators/luna', 'order-1');
  await api.settlements.next();
  expect(lastCharge()).toMatchObject({
    operation: 'profile',
    credits: 1,
    idempotency_key_hash: sha256('key-1 order-1'),
    fingerprint: sha256('["profile",{"slug":"luna"}]'),
  });
  await call('/search?platform=x&q=%20luna%20', 'order-2');
  await api.settlements.next();
  expect(lastCharge()).toMatchObject({
    operation: 'search',
    credits: 3,
    filters: ['q', 'platform'],
    total: 2,
    idempotency_key_hash: sha256('key-1 order-2'),
    // Of the parameters as they are read, however they are written. Across a roll-out of gateways it has to stay the same: else a
    // repetition is refused as another call.
    fingerprint: sha256('["search",{"q":"luna","platform":"x","limit":50,"sort":"recent"}]'),
  });
});

it.each([[['order-1', 'order-1']], [['order 1']]])(
  '%j is a 400 that says so, and nothing is asked',
  async (keys) => {
    const response = await call('/search', ...keys);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: expect.stringContaining('Idempotency-Key must be') as string,
      details: { 'Idempotency-Key': [expect.stringContaining('Idempotency-Key must be')] },
    });
    expect([api.services.payloadsOf(charge), api.services.payloadsOf(searchCreators)]).toEqual([[], []]);
  },
);
