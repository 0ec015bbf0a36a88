import { authenticateKey, getUsage, listCalls, type UsageRequest } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

/** Reports of one account that billing has been asked for; while it is shut, they are not answered. */
class Gate {
  max = 0;
  /** A message that is sent again is the same report. */
  private readonly inProgress = new Set<string>();
  private opened: Promise<void> = Promise.resolve();
  private letThrough = (): void => undefined;

  shut(): void {
    this.opened = new Promise((resolve) => (this.letThrough = resolve));
  }

  open(): void {
    this.letThrough();
  }

  async pass(report: string): Promise<void> {
    this.inProgress.add(report);
    this.max = Math.max(this.max, this.inProgress.size);
    await this.opened;
    this.inProgress.delete(report);
  }
}

describe('reports', () => {
  const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: '10000' });
  let gate: Gate;
  let busyKey: string;
  let otherKey: string;

  beforeEach(() => {
    gate = new Gate();
    [busyKey, otherKey] = [generateApiKey(), generateApiKey()];
    api.scriptSuccess();
    const accounts = new Map([
      [hashApiKey(busyKey), 'busy'],
      [hashApiKey(otherKey), 'other'],
    ]);
    api.services.on(authenticateKey, ({ key_hash }) => {
      const account_id = accounts.get(key_hash);
      return {
        key: account_id === undefined ? null : { key_id: key_hash, account_id, prefix: 'csk_123456' },
      };
    });
    api.services.on(getUsage, async ({ account_id, from, to }: UsageRequest) => {
      if (account_id === 'busy') await gate.pass(from);
      return { from, to, usage: [] };
    });
    api.services.on(listCalls, () => ({ items: [], next_cursor: null }));
  });

  afterEach(() => gate.open());

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
    // Keys that were good lately wait by their accounts; others would wait together, by their network.
    for (const key of [busyKey, otherKey]) expect(await get(key, '/calls')).toBe(200);
    gate.shut();
    const answers = usages(50);
    for (let call = 0; call < 10; call += 1) {
      expect([await get(otherKey, '/usage'), await get(otherKey, '/calls')]).toEqual([200, 200]);
    }
    expect(gate.max).toBe(3);
    gate.open();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
  });
});
