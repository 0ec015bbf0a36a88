import { authenticateKey, keyLimit, lookUpAccounts } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const api = PublicApiFixture.forSuite();

it('look-ups of an account are limited over all its keys, and those of other accounts apart', async () => {
  const [one, two, other] = [generateApiKey(), generateApiKey(), generateApiKey()];
  const accounts = new Map(
    [one, two, other].map((key) => [hashApiKey(key), key === other ? 'other' : 'one']),
  );
  api.services.on(authenticateKey, ({ key_hash }) => ({
    key: { key_id: key_hash, account_id: accounts.get(key_hash) ?? '', prefix: 'csk_123456' },
  }));
  api.services.on(lookUpAccounts, () => ({ results: [{ slug: null }] }));
  const lookUp = (key: string) =>
    api.get('/lookup?url=https://x.com/luna', { headers: { authorization: `Bearer ${key}` } });

  for (let left = keyLimit.calls - 1; left >= 0; left -= 1) {
    const { status, headers } = await lookUp(left % 2 ? one : two);
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"lookup";q=60;w=60']);
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"lookup";r=${left};t=\\d+$`));
  }
  for (const key of [one, two]) {
    const refused = await lookUp(key);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: expect.stringContaining('An account may look up links and handles 60 times') as string },
    ]);
  }
  expect((await lookUp(other)).status).toBe(200);
});
