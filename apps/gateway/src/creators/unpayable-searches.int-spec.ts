import {
  authenticateKeys,
  charge,
  getBalance,
  searchCreators,
  unpayableSearchLimit,
  WithBytes,
} from '@app/contracts';
import { createLogger, generateApiKey } from '@app/platform';
import { type RedisServer, startRedis } from '@app/local-stack';
import { connectRedis, createRedis, type RedisConnection } from '@app/transport';
import fc from 'fast-check';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { McpFixture, toolCall } from '../mcp/mcp.fixture.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { UnpayableSearches } from './unpayable-searches.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const { calls: freeMax } = unpayableSearchLimit;

describe('searches of an account that cannot pay their highest price', () => {
  const mcp = McpFixture.forSuite();

  /** An account with two keys and this balance; its searches match no creator, and one that did would be a 402. */
  function account(balance: number): { keys: readonly [string, string] } {
    const { api } = mcp;
    const id = generateApiKey();
    api.scriptSuccess();
    api.services.on(authenticateKeys, ({ key_hashes }) => ({
      keys: key_hashes.map((hash) => ({
        key_id: hash,
        account_id: id,
        prefix: 'csk_123456',
        credits_remaining: balance,
      })),
    }));
    api.services.on(getBalance, () => ({ credits_remaining: balance, lots: [] }));
    api.services.on(searchCreators, () => new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]')));
    api.services.on(charge, ({ credits }) => ({
      outcome: 'charged' as const,
      credits_used: credits,
      credits_remaining: balance,
    }));
    return { keys: [generateApiKey(), generateApiKey()] };
  }

  const search = (key: string, query: string): Promise<Response> =>
    mcp.api.get(`/search?${query}`, { headers: { authorization: `Bearer ${key}` } });

  const searchesRun = (): number => mcp.api.services.payloadsOf(searchCreators).length;

  it('are run 20 times an hour over all its keys, then not at all, by models neither', async () => {
    const { keys } = account(2);
    for (let count = 0; count < freeMax; count++) {
      const response = await search(keys[count % 2] ?? '', `q=luna&platform=x&min_followers=${count}`);
      expect(response.status).toBe(200);
    }
    const refused = await search(keys[0], 'q=luna&platform=x&min_followers=99');
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
    expect((await search(keys[0], 'q=luna')).status).toBe(200);
    mcp.api.services.on(getBalance, () => ({ credits_remaining: 50, lots: [] }));
    expect((await search(keys[0], 'q=luna&platform=x&min_followers=99')).status).toBe(200);
  });

  it('are refused alike whether a creator matches or not', async () => {
    const { keys } = account(0);
    for (let count = 0; count < freeMax; count++) await search(keys[0], 'q=luna');
    const before = await (await search(keys[0], 'q=luna')).text();
    mcp.api.services.on(searchCreators, () => new WithBytes({ total: 1, returned: 1 }, Buffer.from('[{}]')));
    expect(await (await search(keys[0], 'q=luna')).text()).toBe(before);
  });

  it('do not count, and ask for nothing, when the account can pay', async () => {
    const { keys } = account(3);
    for (let count = 0; count < freeMax * 2; count++) {
      expect((await search(keys[0], 'q=luna&platform=x')).status).toBe(200);
    }
    expect(mcp.api.services.payloadsOf(getBalance)).toEqual([]);
  });
});

/** The rule at one gateway, for an account of which billing says this balance. */
class KnownBalance extends UnpayableSearches {
  constructor(
    redis: RedisConnection,
    private readonly balance: number,
  ) {
    const links = new AccountLinks({ ACCOUNT_PAGES: 'off' }, 'http://127.0.0.1:3000');
    super(
      new RateLimiter(redis),
      { request: () => Promise.reject(new Error('billing is not asked here')) },
      links,
    );
  }

  protected override balanceOf(): Promise<number> {
    return Promise.resolve(this.balance);
  }
}

describe('the allowance of unpayable searches', () => {
  let server: RedisServer;
  let connections: readonly RedisConnection[];

  beforeAll(async () => {
    server = await startRedis();
    connections = [createRedis(server.url, logger), createRedis(server.url, logger)];
    await Promise.all(connections.map((redis) => connectRedis(redis, logger)));
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await server.stop();
  });

  interface Search {
    readonly account: number;
    readonly gateway: number;
    readonly balance: number;
    readonly price: number;
  }

  const searches = fc.array(
    fc.record<Search>({
      account: fc.integer({ min: 0, max: 1 }),
      gateway: fc.integer({ min: 0, max: 1 }),
      balance: fc.integer({ min: 0, max: 9 }),
      price: fc.integer({ min: 1, max: 8 }),
    }),
    { minLength: 1, maxLength: 120, size: 'max' },
  );

  it('is what a naive count of each account says, whichever gateways the searches come to', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (history) => {
        await connections[0]?.flushall();
        const used = new Map<number, number>();
        for (const { account, gateway, balance, price } of history) {
          const redis = connections[gateway];
          if (!redis) throw new Error('there are two gateways');
          const gate = new KnownBalance(redis, balance);
          const isPayable = balance >= price;
          const count = used.get(account) ?? 0;
          if (!isPayable) used.set(account, count + 1);
          const call = {
            key: { account_id: `account-${account}`, credits_remaining: balance },
            requestId: 'request-1',
          };
          const outcome = await gate.admit(call, price).then(
            () => 'run',
            (error: unknown) => error,
          );
          if (isPayable || count < freeMax) expect(outcome).toBe('run');
          else expect(outcome).toMatchObject({ creditsNeeded: price, creditsRemaining: balance });
        }
      }),
      { numRuns: 12 },
    );
  });
});
