import { KeyCache } from './key-cache.js';

const key = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456', credits_remaining: 100 };

let now: number;
let cache: KeyCache;
let lookUps: number;
const found = (): Promise<typeof key> => {
  lookUps += 1;
  return Promise.resolve(key);
};

beforeEach(() => {
  now = 0;
  lookUps = 0;
  cache = new KeyCache();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterAll(() => jest.restoreAllMocks());

it('the cache counts the second from the moment the look-up was sent', async () => {
  await cache.get('a', () => {
    now = 900;
    return found();
  });
  now = 1_000;
  await cache.get('a', found);
  expect(lookUps).toBe(2);
});

it('the cache shares one look-up between callers at the same moment', async () => {
  await Promise.all([cache.get('a', found), cache.get('a', found), cache.get('b', found)]);
  expect(lookUps).toBe(2);
});

it.each([
  ['forgotten', () => cache.forget('a')],
  ['cleared', () => cache.clear()],
])('the cache asks again for a key that was %s, also during its look-up', async (_how, drop) => {
  await cache.get('a', found);
  drop();
  await cache.get('a', async () => {
    const answer = await found();
    drop();
    return answer;
  });
  await cache.get('a', found);
  expect(lookUps).toBe(3);
});

it('the cache forgets no good key in a flood of unknown keys, and remembers its account', async () => {
  await cache.get('good', found);
  for (let index = 0; index < 10_100; index += 1) {
    await cache.get(`unknown-${index}`, () => Promise.resolve(null));
  }
  expect(await cache.get('good', found)).toBe(key);
  expect(lookUps).toBe(1);
  now = 1_000;
  expect(cache.accountOf('good')).toBe(key.account_id);
  expect(cache.accountOf('unknown-10000')).toBeUndefined();
});

it('the cache keeps at most 10,000 good keys', async () => {
  await cache.get('first', found);
  for (let index = 0; index < 10_000; index += 1) await cache.get(String(index), found);
  await cache.get('first', found);
  expect(lookUps).toBe(10_002);
});

describe('for a call whose charge checks the key', () => {
  it('knows a good key for five minutes', async () => {
    await cache.get('a', found);
    now = 299_999;
    expect(cache.recentlyGood('a')).toBe(key);
    now = 300_000;
    expect(cache.recentlyGood('a')).toBeUndefined();
    expect(lookUps).toBe(1);
  });

  it('knows a key until it expires, from the moment the look-up was sent', async () => {
    const ending = () => Promise.resolve({ ...key, valid_for_ms: 500 });
    await cache.get('a', ending);
    now = 499;
    expect(cache.recentlyGood('a')).toMatchObject(key);
    expect(await cache.get('a', () => Promise.resolve(null))).toMatchObject(key);
    now = 500;
    expect(cache.recentlyGood('a')).toBeUndefined();
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
  });
});

describe('what a key may spend', () => {
  it('is fresh for a second from the moment the message was sent, also when the key is known for longer', async () => {
    await cache.get('a', () => {
      now = 900;
      return found();
    });
    now = 999;
    expect(cache.spendable('a')).toMatchObject({ credits_remaining: 100, isFresh: true });
    now = 1_000;
    expect(cache.spendable('a')).toMatchObject({ credits_remaining: 100, isFresh: false });
    expect(cache.recentlyGood('a')).toMatchObject(key);
    cache.noteSpendable('a', { credits_remaining: 7 }, 500);
    expect(cache.spendable('a')).toMatchObject({ credits_remaining: 7, isFresh: true });
    now = 1_500;
    expect(cache.spendable('a')).toMatchObject({ isFresh: false });
  });

  it('is what the message that was sent last has been answered', async () => {
    const limit = { limit: 5, spent: 4, resets_at: '2026-02-01T00:00:00.000Z' };
    await cache.get('a', found);
    now = 1_000;
    await cache.get('a', () => {
      cache.noteSpendable('a', { credits_remaining: 3, key_limit: limit }, 1_001);
      return found();
    });
    cache.noteSpendable('a', { credits_remaining: 9 }, 999);
    expect(cache.spendable('a')).toMatchObject({ credits_remaining: 3, key_limit: limit });
  });
});
