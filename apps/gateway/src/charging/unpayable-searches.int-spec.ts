import {
  authenticateKey,
  charge,
  type ChargeReply,
  searchCreators,
  unpayableSearchLimit,
  WithBytes,
} from '#contracts';
import { generateApiKey } from '#platform';
import { McpFixture, toolCall } from '../mcp/mcp.fixture.js';

const { calls: freeMax } = unpayableSearchLimit;
const mcp = McpFixture.forSuite();

/** An account with two keys, as billing has it; what changes here, no gateway is told. */
class Account {
  readonly keys: readonly [string, string] = [generateApiKey(), generateApiKey()];

  constructor(public balance: number) {
    const { services } = mcp.api;
    const account_id = generateApiKey();
    mcp.api.scriptSuccess();
    services.on(searchCreators, () => new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]')));
    services.on(authenticateKey, ({ key_hash }) => ({
      key: { key_id: key_hash, account_id, prefix: 'csk_123456', credits_remaining: this.balance },
    }));
    services.on(charge, ({ credits, credits_if_matched = 0 }): ChargeReply => {
      const [credits_needed, credits_remaining] = [credits || credits_if_matched, this.balance];
      return credits_needed > this.balance
        ? { outcome: 'insufficient_credits', credits_needed, credits_remaining }
        : { outcome: 'charged', credits_used: credits, credits_remaining };
    });
  }

  search(key: string, query: string): Promise<Response> {
    return mcp.api.get(`/search?${query}`, { headers: { authorization: `Bearer ${key}` } });
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
});
