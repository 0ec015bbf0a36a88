import fc from 'fast-check';
import { deriveApiKey, displayPrefix, generateApiKey, isWellFormedApiKey } from './secrets.js';

describe('API keys', () => {
  it('generates different keys that are well formed', () => {
    const keys = new Set(Array.from({ length: 1_000 }, generateApiKey));
    expect(keys.size).toBe(1_000);
    for (const key of keys) {
      expect(isWellFormedApiKey(key)).toBe(true);
      expect(displayPrefix(key)).toBe(key.slice(0, 10));
    }
  });

  it('derives one well-formed key from each secret and label', () => {
    const inputs = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), {
      minLength: 2,
      selector: (pair) => JSON.stringify(pair),
    });
    fc.assert(
      fc.property(inputs, (pairs) => {
        const derive = () => pairs.map(([secret, label]) => deriveApiKey(secret, label));
        const keys = derive();
        expect(derive()).toEqual(keys);
        expect(new Set(keys).size).toBe(pairs.length);
        expect(keys.every(isWellFormedApiKey)).toBe(true);
      }),
    );
  });

  it('refuses a key with any one character changed', () => {
    const key = generateApiKey();
    for (let i = 0; i < key.length; i += 1) {
      const other = key[i] === 'A' ? 'B' : 'A';
      expect(isWellFormedApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  it('distinguishes test keys from live ones: neither becomes the other by its prefix', () => {
    const [live, test] = [generateApiKey(), generateApiKey('test')];
    expect(test).toMatch(/^csk_test_[0-9A-Za-z]{38}$/);
    expect(isWellFormedApiKey(test)).toBe(true);
    expect(isWellFormedApiKey(test.replace('test_', ''))).toBe(false);
    expect(isWellFormedApiKey(live.replace('csk_', 'csk_test_'))).toBe(false);
    expect(displayPrefix(test)).toBe(test.slice(0, 15));
  });
});
