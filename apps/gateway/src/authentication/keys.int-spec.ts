import { authenticateKey, charge, getProfile, type KeyMode, WithBytes } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { until } from '#testing';
import { goodKey, PublicApiFixture } from '../fixtures/public-api.fixture.js';

const api = PublicApiFixture.forSuite();
let key: string;
let isActive: boolean;
let mode: KeyMode;

beforeEach(() => {
  key = generateApiKey();
  isActive = true;
  mode = 'live';
  api.services.on(authenticateKey, ({ key_hash }) => ({
    key: isActive && key_hash === hashApiKey(key) ? { ...goodKey, mode } : null,
  }));
  api.services.on(
    getProfile,
    ({ slug }) => new WithBytes({ found: slug === 'luna' }, Buffer.from('{"a":1}')),
  );
});

async function answerTo(path: string): Promise<[status: number, error: string | undefined]> {
  const response = await api.get(path, { headers: { authorization: `Bearer ${key}` } });
  const { error } = (await response.json()) as { error?: string };
  return [response.status, error];
}

/** The message about it is lost. */
function revoke(): void {
  isActive = false;
  api.services.on(charge, () => ({ outcome: 'key_revoked' }));
}

it('a key that was revoked is refused by its charge at once, and by a look-up from then on', async () => {
  await answerTo('/creators/luna');
  revoke();
  for (let call = 0; call < 2; call += 1) {
    expect(await answerTo('/creators/luna')).toEqual([
      401,
      expect.stringContaining('not known or not active'),
    ]);
  }
  expect(api.services.payloadsOf(charge)).toHaveLength(2);
});

it('a test key that was revoked is refused within a second: no charge would find out', async () => {
  [key, mode] = [generateApiKey('test'), 'test'];
  expect((await answerTo('/creators/luna'))[0]).toBe(200);
  revoke();
  await until(async () => (await answerTo('/creators/luna'))[0] === 401, 1_500);
});

it.each([
  ['a bad parameter', '/search?q=ada&nope=1', 400],
  ['a parameter where there is none', '/creators/luna?nope=1', 400],
  ['an unknown creator', '/creators/nobody', 404],
])('within a second a revoked key is refused before %s', async (_what, path, otherwise) => {
  expect(await answerTo(path)).toEqual([otherwise, expect.any(String)]);
  revoke();
  await until(async () => (await answerTo(path))[0] === 401, 1_500);
});
