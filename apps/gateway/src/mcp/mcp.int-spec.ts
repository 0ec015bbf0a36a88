import { type Client } from '@modelcontextprotocol/client';
import { charge, getBalance, getProfile, listFilters, lookUpAccounts, searchCreators } from '#contracts';
import { gate, until } from '#testing';
import { type Socket } from 'node:net';
import { OpenExchanges } from '../edge/connections/exchange.js';
import {
  entry,
  eras,
  foundCreators,
  McpFixture,
  profile,
  textOf,
  toolCall,
  toolError,
  type ToolResult,
} from './mcp.fixture.js';

const mcp = McpFixture.forSuite({ REQUEST_DEADLINE_MS: '1500', HAND_OVER_MS: '2000' });
afterEach(() => expect(mcp.api.settlements.waiting).toBe(0));

const charges = () => mcp.api.services.payloadsOf(charge);

describe.each(eras)('a %s client of /mcp', (era) => {
  let client: Client;

  beforeAll(async () => {
    mcp.scriptSuccess();
    client = await mcp.connect(era);
  });

  const call = (name: string, toolArguments: Record<string, unknown> = {}): Promise<ToolResult> =>
    client.callTool({ name, arguments: toolArguments });

  it('learns what the server is for', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'creator-search' });
    expect(client.getInstructions()).toContain('list_filters');
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
  });

  const found = { total: 1, returned: 1, credits_used: 3, credits_remaining: 97, creators: [entry] };
  const ofSearch = { operation: 'search', credits: 3, filters: ['q', 'platform'] };
  const ofProfile = { operation: 'profile', credits: 1 };

  const read = { ...profile, credits_used: 1, credits_remaining: 99 };

  it.each<[string, Record<string, unknown>, object, object, string]>([
    [
      'search_creators',
      { q: 'luna', platform: 'x', limit: 3 },
      found,
      ofSearch,
      '1 of 1 creators; 3 credits used, 97 remaining',
    ],
    ['get_creator', { slug: 'luna' }, read, ofProfile, 'profile of luna; 1 credit used, 99 remaining'],
  ])(
    'pays for %s as in the API, once the result was handed over',
    async (name, given, expected, charged, line) => {
      const result = await call(name, given);
      expect(result).toMatchObject({ structuredContent: expected, content: [{ text: line }] });
      expect(charges()).toMatchObject([charged]);
      const charge_id = charges()[0]?.charge_id;
      const settlement = { charge_id, account_id: 'account-1', outcome: 'posted' };
      expect(await mcp.api.settlements.next()).toEqual(settlement);
    },
  );

  it('gets balance, filters and look-ups for nothing', async () => {
    const balance = { credits_remaining: 7, lots: [] };
    mcp.api.services.on(getBalance, () => balance);
    const shown = await call('get_balance');
    expect([shown.structuredContent, textOf(shown)]).toEqual([balance, '7 credits remaining']);

    const countries = Array.from({ length: 60 }, (_, index) => ({
      name: `Land ${index}`,
      creators: 100 - index,
    }));
    const others = { categories: [{ slug: 'fitness', creators: 3 }], languages: [], platforms: [] };
    mcp.api.services.on(listFilters, () => ({ countries, ...others }));
    const filters = await call('list_filters');
    expect(textOf(filters)).toBe('50 of 60 countries, 1 of 1 categories, 0 of 0 languages, 0 of 0 platforms');
    expect(filters.structuredContent).toEqual({
      countries: countries.slice(0, 50),
      ...others,
      totals: { countries: 60, categories: 1, languages: 0, platforms: 0 },
    });
    expect((await call('list_filters', { limit: 60 })).structuredContent).toMatchObject({ countries });

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
    const lookedUp = await call('lookup_accounts', { accounts: JSON.stringify(accounts) });
    expect(textOf(lookedUp)).toBe('creators known for 2 of 3 accounts');
    expect(lookedUp.structuredContent).toEqual({
      results: [{ slug: 'luna' }, { slug: null, problem: 'url is no link' }, { slug: 'luna' }],
    });
    const wrong = await call('lookup_accounts', { accounts: [{ handle: 'luna' }] });
    expect(Object.keys(toolError(wrong).details ?? {})).toEqual(['accounts[0].platform']);
    expect(charges()).toEqual([]);
  });

  it('gets ten creators at a time, and the cursor of the next ones', async () => {
    const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
    mcp.api.services.on(searchCreators, () => foundCreators([entry], next));
    const first = await call('search_creators', { country: 'Chile' });
    const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
    await call('search_creators', { country: 'Chile', cursor });
    expect(mcp.api.services.payloadsOf(searchCreators)).toEqual([
      { country: 'Chile', limit: 10 },
      { country: 'Chile', limit: 10, after_slug: next.slug, after_updated_at: next.updated_at },
    ]);
    await mcp.api.outcomes(2);
  });

  it('learns of every wrong argument, with the sentences of the API', async () => {
    const given = { q: '', limit: 101, min_followers: 'many', nmae: 'x', max_credits: -1 };
    expect(toolError(await call('search_creators', given)).details).toEqual({
      q: ['q must not be empty; leave it out instead'],
      limit: ['limit must be an integer between 1 and 100'],
      min_followers: [`min_followers must be an integer between 0 and ${Number.MAX_SAFE_INTEGER}`],
      nmae: [expect.stringContaining('not a known argument; the arguments are q, country') as string],
      max_credits: ['max_credits must be an integer between 0 and 999999999'],
    });
    expect(toolError(await call('get_creator')).details).toEqual({ slug: ['slug is missing'] });
    expect(charges()).toEqual([]);
  });

  it('is refused what could cost more than max_credits before anything is looked up', async () => {
    const filters = { q: 'luna', country: 'Chile' };
    expect(toolError(await call('search_creators', { ...filters, max_credits: 2 })).error).toBe(
      'This search costs up to 3 credits, more than max_credits (2). Nothing was done and nothing charged.',
    );
    toolError(await call('get_creator', { slug: 'luna', max_credits: 0 }));
    expect(mcp.api.services.payloadsOf(searchCreators)).toEqual([]);
    expect(mcp.api.services.payloadsOf(getProfile)).toEqual([]);
    const fair = await call('search_creators', { ...filters, max_credits: 3 });
    expect(fair.structuredContent).toMatchObject({ credits_used: 3 });
    await mcp.api.outcomes(1);
  });

  it('repeats a paid call under its idempotency_key, or that in the header, and learns that it did', async () => {
    const header = { 'idempotency-key': 'order-1' };
    const given = { slug: 'luna', idempotency_key: 'order-2' };
    await mcp.post(toolCall('get_creator', { slug: 'luna' }), header);
    await mcp.post(toolCall('get_creator', given), header);
    await mcp.post(toolCall('search_creators', { idempotency_key: 'order-1' }), header);
    const [byHeader, byArgument, search] = charges();
    expect(byHeader?.idempotency_key_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(byArgument?.fingerprint).toBe(byHeader?.fingerprint);
    expect(byArgument?.idempotency_key_hash).not.toBe(byHeader?.idempotency_key_hash);
    expect(search?.idempotency_key_hash).toBe(byHeader?.idempotency_key_hash);
    expect(search?.fingerprint).not.toBe(byHeader?.fingerprint);
    await mcp.api.outcomes(3);

    mcp.api.answerCharges({ credits_used: 0, credits_remaining: 99, is_repeat: true });
    const repeated = await call('get_creator', given);
    expect(repeated).toMatchObject({ _meta: { 'idempotent-replayed': true } });
    expect(textOf(repeated)).toBe('profile of luna; 0 credits used, 99 remaining; repeats a paid call');
    const invalid = { slug: 'luna', idempotency_key: 'two words' };
    expect(Object.keys(toolError(await call('get_creator', invalid)).details ?? {})).toEqual([
      'idempotency_key',
    ]);
  });

  it('learns the names of the tools when it calls another one', async () => {
    const names = 'list_filters, search_creators, lookup_accounts, get_creator, get_balance';
    await expect(call('delete_creators')).rejects.toThrow(`Unknown tool; the tools are ${names}.`);
    expect(charges()).toEqual([]);
  });
});

describe('a client of /mcp that leaves in the middle of a call', () => {
  let socket: Socket;

  const nothingOpen = () => until(() => OpenExchanges.of(mcp.api.server).count === 0);
  beforeEach(async () => (socket = await mcp.api.open()));
  afterEach(async () => {
    mcp.api.disconnect();
    await nothingOpen();
  });

  it('has its credits back when it goes during the charge', async () => {
    const taken = gate();
    mcp.api.answerCharges({}, taken.opened);
    socket.write(mcp.written('search_creators', { q: 'luna' }));
    await until(() => charges().length > 0);
    socket.resetAndDestroy();
    const voided = { charge_id: charges()[0]?.charge_id, outcome: 'voided' };
    expect(await mcp.api.settlements.next()).toMatchObject(voided);
    taken.open();
  });

  it('has abandoned a large result that it does not read', async () => {
    const creators = Array.from({ length: 100 }, () => ({ ...entry, name: 'x'.repeat(20_000) }));
    mcp.api.services.on(searchCreators, () => foundCreators(creators));
    socket.pause();
    // More than any socket takes without a reader, so that the last one is not handed over.
    socket.write(mcp.written('search_creators', { limit: 100 }).repeat(6));
    const outcomes: string[] = [];
    while (!outcomes.includes('abandoned')) outcomes.push((await mcp.api.settlements.next()).outcome);
    expect(outcomes).toEqual([...outcomes.slice(0, -1).fill('posted'), 'abandoned']);
    expect(charges()).toHaveLength(outcomes.length);
  });
});
