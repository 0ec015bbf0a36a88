import { KeyCache } from './key-cache.js';

const key = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456' };

describe('KeyCache', () => {
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
    cache = new KeyCache(() => now);
  });

  it('asks once within a second, and again after it', async () => {
    await cache.get('a', found);
    now = 999;
    expect(await cache.get('a', found)).toBe(key);
    expect(lookUps).toBe(1);
    now = 1_000;
    await cache.get('a', found);
    expect(lookUps).toBe(2);
  });

  it('counts the second from the moment the look-up was sent', async () => {
    await cache.get('a', () => {
      now = 900;
      return found();
    });
    now = 1_000;
    await cache.get('a', found);
    expect(lookUps).toBe(2);
  });

  it('remembers that a key is not known', async () => {
    expect(await cache.get('a', () => Promise.resolve(null))).toBeNull();
    expect(await cache.get('a', found)).toBeNull();
  });

  it('shares one look-up between callers of the same moment', async () => {
    await Promise.all([cache.get('a', found), cache.get('a', found), cache.get('b', found)]);
    expect(lookUps).toBe(2);
  });

  it('does not remember a look-up that failed', async () => {
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', found)).toBe(key);
  });

  it.each([
    ['forgotten', () => cache.forget('a')],
    ['cleared', () => cache.clear()],
  ])('asks again for a key that was %s, also when its look-up was under way', async (_how, drop) => {
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

  it('keeps at most 10,000 keys: floods of unknown ones do not fill the memory', async () => {
    await cache.get('first', found);
    for (let index = 0; index < 10_000; index += 1) await cache.get(String(index), found);
    await cache.get('first', found);
    expect(lookUps).toBe(10_002);
  });
});
