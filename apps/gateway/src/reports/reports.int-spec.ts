import { authenticateKey, getUsage, listCalls, type UsageRequest } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { gate } from '#testing';
import { PublicApiFixture, goodKey } from '../fixtures/public-api.fixture.js';

describe('reports', () => {
  const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: '10000' });
  let finish: ReturnType<typeof gate>;
  let most: number;
  let inProgress: Set<string>;
  let busyKey: string;
  let otherKey: string;

  beforeEach(() => {
    finish = gate();
    most = 0;
    inProgress = new Set();
    [busyKey, otherKey] = [generateApiKey(), generateApiKey()];
    api.scriptSuccess();
    const accounts = new Map([
      [hashApiKey(busyKey), 'busy'],
      [hashApiKey(otherKey), 'other'],
    ]);
    api.services.on(authenticateKey, ({ key_hash }) => {
      const account_id = accounts.get(key_hash);
      return {
        key: account_id === undefined ? null : { ...goodKey, key_id: key_hash, account_id },
      };
    });
    api.services.on(getUsage, async ({ account_id, from, to }: UsageRequest) => {
      if (account_id === 'busy') {
        // A message that is sent again is the same report.
        inProgress.add(from);
        most = Math.max(most, inProgress.size);
        await finish.opened;
        inProgress.delete(from);
      }
      return { from, to, usage: [] };
    });
    api.services.on(listCalls, () => ({ items: [], next_cursor: null }));
  });

  /** Reports that differ. */
  const usages = (count: number): Promise<number>[] =>
    Array.from({ length: count }, (_, number) =>
      get(
        busyKey,
        `/usage?from=2026-01-${String((number % 31) + 1).padStart(2, '0')}&to=2026-03-${String((number % 28) + 1).padStart(2, '0')}`,
      ),
    );
  const get = async (key: string, path: string): Promise<number> => {
    const response = await api.get(path, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };

  it('others are answered while one account has more in progress than it may', async () => {
    // Recently good keys wait by their accounts; others would wait together, by their network.
    for (const key of [busyKey, otherKey]) expect(await get(key, '/calls')).toBe(200);
    const answers = usages(50);
    for (let call = 0; call < 10; call += 1) {
      expect([await get(otherKey, '/usage'), await get(otherKey, '/calls')]).toEqual([200, 200]);
    }
    expect(most).toBe(3);
    finish.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
  });
});
