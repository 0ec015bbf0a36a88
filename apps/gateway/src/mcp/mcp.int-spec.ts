import { type Client } from '@modelcontextprotocol/client';
import {
  charge,
  getBalance,
  getProfile,
  listFilters,
  lookUpAccounts,
  searchCreators,
  ServiceError,
  WithBytes,
} from '@app/contracts';
import { entry, eras, McpFixture, profile, textOf, toolError, type ToolResult } from './mcp.fixture.js';
import { gate } from '@app/testing';

describe('the tools of /mcp', () => {
  let mcp: McpFixture;

  beforeAll(async () => {
    mcp = await McpFixture.start({ REQUEST_DEADLINE_MS: '1500' });
  });
  afterAll(() => mcp.stop());
  beforeEach(() => mcp.scriptSuccess());
  afterEach(() => expect(mcp.api.settlements.waiting).toBe(0));

  const charges = () => mcp.api.services.payloadsOf(charge);

  describe.each(eras)('for a %s client', (era) => {
    let client: Client;

    beforeAll(async () => {
      mcp.scriptSuccess();
      client = await mcp.connect(era);
    });

    const call = (name: string, toolArguments: Record<string, unknown> = {}): Promise<ToolResult> =>
      client.callTool({ name, arguments: toolArguments });

    it('says what it is for and what costs credits', () => {
      expect(client.getServerVersion()).toMatchObject({ name: 'creator-search' });
      expect(client.getInstructions()).toContain('list_filters');
      expect(client.getServerCapabilities()).toEqual({ tools: {} });
    });

    it('lists tools that only read, with what each costs and what it returns', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'list_filters',
        'search_creators',
        'lookup_accounts',
        'get_creator',
        'get_balance',
      ]);
      for (const { description, inputSchema, outputSchema, annotations } of tools) {
        expect(description).toMatch(/credit|[Ff]ree/);
        expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: 'object' });
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      }
    });

    it('charges for a search as the API does, and posts it when the result was handed over', async () => {
      const result = await call('search_creators', { q: 'luna', platform: 'x', limit: 3 });
      const expected = { total: 1, returned: 1, credits_used: 3, credits_remaining: 97, creators: [entry] };
      expect(result.structuredContent).toEqual(expected);
      expect(JSON.parse(textOf(result))).toEqual(expected);
      expect(charges()).toMatchObject([{ operation: 'search', credits: 3, filters: ['q', 'platform'] }]);
      expect(await mcp.api.settlements.next()).toEqual({
        charge_id: charges()[0]?.charge_id,
        account_id: 'account-1',
        outcome: 'posted',
      });
    });

    it('charges for a profile, and shows all of it', async () => {
      const result = await call('get_creator', { slug: 'luna' });
      expect(result.structuredContent).toEqual({ ...profile, credits_used: 1, credits_remaining: 99 });
      expect(await mcp.api.settlements.next()).toMatchObject({ outcome: 'posted' });
    });

    it('shows the balance for nothing', async () => {
      const balance = { credits_remaining: 7, lots: [] };
      mcp.api.services.on(getBalance, () => balance);
      expect((await call('get_balance')).structuredContent).toEqual(balance);
      expect(charges()).toEqual([]);
    });

    it('lists the values of filters for nothing, the first of each, and says how many there are', async () => {
      const countries = Array.from({ length: 60 }, (_, index) => ({
        name: `Land ${index}`,
        creators: 100 - index,
      }));
      const categories = [{ slug: 'fitness', creators: 3 }];
      mcp.api.services.on(listFilters, () => ({ countries, categories, languages: [], platforms: [] }));
      expect((await call('list_filters')).structuredContent).toEqual({
        countries: countries.slice(0, 50),
        categories,
        languages: [],
        platforms: [],
        totals: { countries: 60, categories: 1, languages: 0, platforms: 0 },
      });
      expect((await call('list_filters', { limit: 60 })).structuredContent).toMatchObject({ countries });
      for (const limit of [0, 1_001, 'all', 1.5]) {
        const { details } = toolError(await call('list_filters', { limit }));
        expect(details).toEqual({ limit: ['limit must be an integer between 1 and 1000'] });
      }
      expect(charges()).toEqual([]);
    });

    it('looks accounts up for nothing, in the order asked, whatever a client sends for what was left out', async () => {
      mcp.api.services.on(lookUpAccounts, ({ accounts }) => ({
        results: accounts.map(({ url }) =>
          url === 'nonsense' ? { slug: null, details: { url: ['url is no link'] } } : { slug: 'luna' },
        ),
      }));
      const accounts = [
        { url: 'https://x.com/luna', platform: null },
        { url: 'nonsense' },
        { platform: 'x', handle: 'luna' },
      ];
      expect((await call('lookup_accounts', { accounts })).structuredContent).toEqual({
        results: [{ slug: 'luna' }, { slug: null, problem: 'url is no link' }, { slug: 'luna' }],
      });
      const wrong = await call('lookup_accounts', { accounts: [{ handle: 'luna' }] });
      expect(Object.keys(toolError(wrong).details ?? {})).toEqual(['accounts[0].platform']);
      expect(charges()).toEqual([]);
    });

    it('gives a model ten creators, and the cursor of the next ones', async () => {
      const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
      const page = new WithBytes({ total: 12, returned: 1, next }, Buffer.from(JSON.stringify([entry])));
      mcp.api.services.on(searchCreators, () => page);
      const first = await call('search_creators', { country: 'Chile' });
      const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
      await call('search_creators', { country: 'Chile', cursor });
      expect(mcp.api.services.payloadsOf(searchCreators)).toEqual([
        { country: 'Chile', limit: 10 },
        { country: 'Chile', limit: 10, after_slug: next.slug, after_updated_at: next.updated_at },
      ]);
      await mcp.api.settlements.next();
      await mcp.api.settlements.next();
    });

    it('tells a model every argument that is wrong, with the sentences of the API', async () => {
      const result = await call('search_creators', {
        q: '',
        limit: 101,
        min_followers: 'many',
        nmae: 'x',
        max_credits: -1,
      });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(toolError(result).details).toEqual({
        q: ['q must not be empty; leave it out instead'],
        limit: ['limit must be an integer between 1 and 100'],
        min_followers: [`min_followers must be an integer between 0 and ${Number.MAX_SAFE_INTEGER}`],
        nmae: [expect.stringContaining('not a known argument; the arguments are q, country') as string],
        max_credits: ['max_credits must be an integer between 0 and 999999999'],
      });
      expect(charges()).toEqual([]);
    });

    it('refuses a call that could cost more than max_credits before it looks for anything', async () => {
      const dear = await call('search_creators', { q: 'luna', country: 'Chile', max_credits: 2 });
      expect(dear.isError).toBe(true);
      expect(toolError(dear).error).toBe(
        'This search costs up to 3 credits, more than max_credits (2). Nothing was done and nothing charged.',
      );
      expect((await call('get_creator', { slug: 'luna', max_credits: 0 })).isError).toBe(true);
      expect(mcp.api.services.payloadsOf(searchCreators)).toEqual([]);
      expect(mcp.api.services.payloadsOf(getProfile)).toEqual([]);
      expect(charges()).toEqual([]);
      const fair = await call('search_creators', { q: 'luna', country: 'Chile', max_credits: 3 });
      expect(fair.structuredContent).toMatchObject({ credits_used: 3 });
      await mcp.api.settlements.next();
    });

    it('says what a call costs and what is left when the balance is too low', async () => {
      mcp.api.services.on(charge, ({ credits }) => ({
        outcome: 'insufficient_credits' as const,
        credits_needed: credits,
        credits_remaining: 1,
      }));
      const result = await call('search_creators', { q: 'luna' });
      expect(result.isError).toBe(true);
      expect(toolError(result)).toEqual({
        error: `This call costs 2 credits and 1 is left; buy a pack at ${mcp.api.origin}/account/buy to continue.`,
        credits_needed: 2,
        credits_remaining: 1,
      });
      expect(await mcp.api.settlementsSoFar()).toEqual([]);
    });

    it('charges nothing for a slug that is not there', async () => {
      mcp.api.services.on(getProfile, () => new WithBytes({ found: false }, Buffer.alloc(0)));
      for (const slug of ['nobody', 'No Slug', 7]) {
        const result = await call('get_creator', { slug });
        expect([result.isError, toolError(result).error]).toEqual([
          true,
          'No published creator has this slug.',
        ]);
      }
      expect(toolError(await call('get_creator')).details).toEqual({
        slug: ['slug is missing'],
      });
      expect(charges()).toEqual([]);
    });

    it('gives the credits back when it is not known whether they were taken', async () => {
      mcp.api.services.on(charge, () => {
        throw new ServiceError('unavailable', 'The database is away.');
      });
      const result = await call('get_creator', { slug: 'luna' });
      expect([result.isError, toolError(result)]).toEqual([true, { error: 'The database is away.' }]);
      expect(await mcp.api.settlements.next()).toMatchObject({ outcome: 'voided' });
    });

    it('charges nothing when the catalog takes too long', async () => {
      const answer = gate();
      mcp.api.services.on(searchCreators, async () => {
        await answer.opened;
        return new WithBytes({ total: 0, returned: 0, next: null }, Buffer.from('[]'));
      });
      const result = await call('search_creators');
      expect([result.isError, toolError(result).error]).toEqual([true, expect.stringContaining('try again')]);
      expect(charges()).toEqual([]);
      answer.open();
    });

    it('never shows the text of an unexpected error', async () => {
      mcp.api.services.on(searchCreators, () => {
        throw new Error('the password is hunter2');
      });
      const result = await call('search_creators');
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toContain('hunter2');
    });

    it('answers the call of a tool that is not there with an error that names those that are', async () => {
      await expect(call('delete_creators')).rejects.toThrow(
        'Unknown tool; the tools are list_filters, search_creators,',
      );
      expect(charges()).toEqual([]);
    });

    it('can be asked what it is without a key, and calls nothing without one', async () => {
      const open = await mcp.connect(era, null);
      expect((await open.listTools()).tools).not.toEqual([]);
      await expect(open.callTool({ name: 'get_balance', arguments: {} })).rejects.toThrow(
        'An API key is required',
      );
    });
  });
});
