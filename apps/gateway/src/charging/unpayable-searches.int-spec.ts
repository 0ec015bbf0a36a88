import {
  authenticateKey,
  charge,
  type ChargeReply,
  getBalance,
  type KeyLimit,
  leftOfKeyLimit,
  searchCreators,
  unpayableSearchLimit,
  WithBytes,
} from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import fc from 'fast-check';
import { McpFixture, toolCall } from '../mcp/mcp.fixture.js';

const { calls: freeMax } = unpayableSearchLimit;
const resets_at = '2026-02-01T00:00:00.000Z';
const mcp = McpFixture.forSuite();

/** An account with two keys, as billing has it; what changes here, no gateway is told. */
class Account {
  readonly keys: readonly [string, string] = [generateApiKey(), generateApiKey()];
  private readonly id = generateApiKey();
  private readonly limits = new Map<string, KeyLimit>();

  constructor(public balance: number) {
    const { services } = mcp.api;
    mcp.api.scriptSuccess();
    this.findsNobody();
    services.on(authenticateKey, ({ key_hash }) => ({
      key: { key_id: key_hash, account_id: this.id, prefix: 'csk_123456', ...this.left(key_hash) },
    }));
    services.on(getBalance, ({ key_id = '' }) => ({ lots: [], ...this.left(key_id) }));
    services.on(charge, ({ key_id, credits, credits_if_matched = 0 }): ChargeReply => {
      const needed = credits || credits_if_matched;
      const limit = this.limits.get(key_id);
      const insufficient = { outcome: 'insufficient_credits', credits_needed: needed } as const;
      if (needed > this.balance) return { ...insufficient, ...this.left(key_id) };
      if (limit && limit.spent + needed > limit.limit) {
        return { ...insufficient, ...this.left(key_id), key_limit_resets_at: resets_at };
      }
      this.balance -= credits;
      if (limit) this.limits.set(key_id, { ...limit, spent: limit.spent + credits });
      return { outcome: 'charged', credits_used: credits, ...this.left(key_id) };
    });
  }

  findsNobody(): void {
    mcp.api.services.on(searchCreators, () => new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]')));
  }

  findsSomebody(): void {
    mcp.api.services.on(searchCreators, () => new WithBytes({ total: 1, returned: 1 }, Buffer.from('[{}]')));
  }

  limit(key: string, limit: number): void {
    this.limits.set(hashApiKey(key), { limit, spent: 0, resets_at });
  }

  search(key: string, query: string): Promise<Response> {
    return mcp.api.get(`/search?${query}`, { headers: { authorization: `Bearer ${key}` } });
  }

  canPay(key: 0 | 1, price: number): boolean {
    const limit = this.limits.get(hashApiKey(this.keys[key]));
    return price <= this.balance && price <= leftOfKeyLimit(limit);
  }

  private left(keyHash: string): { credits_remaining: number; key_limit?: KeyLimit } {
    const limit = this.limits.get(keyHash);
    return { credits_remaining: this.balance, ...(limit && { key_limit: limit }) };
  }
}

const searchesRun = (): number => mcp.api.services.payloadsOf(searchCreators).length;
const lookUps = (): number => mcp.api.services.payloadsOf(authenticateKey).length;

describe('searches of an account that cannot pay their highest price', () => {
  it('are run 20 times an hour over all its keys, then not at all, by models neither', async () => {
    const account = new Account(2);
    const { keys } = account;
    for (let count = 0; count < freeMax; count++) {
      const key = keys[count % 2] ?? '';
      expect((await account.search(key, `q=luna&platform=x&min_followers=${count}`)).status).toBe(200);
    }
    const refused = await account.search(keys[0], 'q=luna&platform=x&min_followers=99');
    expect(refused.status).toBe(402);
    expect(await refused.json()).toEqual({
      error: expect.stringContaining('This search was not run, because it can cost 4 credits') as string,
      credits_needed: 4,
      credits_remaining: 2,
    });
    const asked = toolCall('search_creators', { q: 'luna', platform: 'x', min_followers: 99 });
    const result = await mcp.post(asked, { authorization: `Bearer ${keys[1]}` });
    expect(await result.text()).toContain('This search was not run');
    expect(searchesRun()).toBe(freeMax);

    // What it can pay for is run, and so is everything once it has bought a pack.
    expect((await account.search(keys[0], 'q=luna')).status).toBe(200);
    account.balance = 50;
    expect((await account.search(keys[0], 'q=luna&platform=x&min_followers=99')).status).toBe(200);
  });

  it('do not count, and are not looked up again, when the account can pay', async () => {
    const account = new Account(3);
    for (let count = 0; count < freeMax * 2; count++) {
      expect((await account.search(account.keys[0], 'q=luna&platform=x')).status).toBe(200);
    }
    expect(lookUps()).toBe(1);
  });

  it('in any history are at most 20, and what can be paid is always answered', async () => {
    const step = fc.record({
      key: fc.constantFrom<0 | 1>(0, 1),
      balance: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 6 }),
      matches: fc.boolean(),
      query: fc.constantFrom('', 'q=luna', 'q=luna&platform=x'),
    });
    const histories = fc.array(step, { minLength: 30, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const account = new Account(9);
        account.limit(account.keys[1], 3);
        let questions = 0;
        for (const { key, balance, matches, query } of history) {
          if (balance !== null) account.balance = balance;
          if (matches) account.findsSomebody();
          else account.findsNobody();
          const price = query === '' ? 1 : 1 + query.split('&').length;
          const canPay = account.canPay(key, price);
          const reply = await account.search(account.keys[key], query);
          if (canPay) expect(reply.status).toBe(200);
          else if (!(await reply.text()).includes('This search was not run')) questions++;
        }
        expect(questions).toBeLessThanOrEqual(freeMax);
      }),
      { numRuns: 8 },
    );
  }, 30_000);
});
