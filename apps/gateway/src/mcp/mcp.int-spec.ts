import { type Client } from '@modelcontextprotocol/client';
import { charge, listFilters, lookUpAccounts, searchCreators } from '#contracts';
import {
  entry,
  foundCreators,
  McpFixture,
  textOf,
  toolCall,
  toolError,
  type ToolResult,
} from './mcp.fixture.js';

// Prices, errors and both kinds of clients: test/e2e/mcp.e2e-spec.ts.
const mcp = McpFixture.forSuite({ REQUEST_DEADLINE_MS: '1500', HAND_OVER_MS: '2000' });
afterEach(() => expect(mcp.api.settlements.waiting).toBe(0));

const charges = () => mcp.api.services.payloadsOf(charge);

let client: Client;
beforeAll(async () => {
  mcp.scriptSuccess();
  client = await mcp.connect();
});

const call = (name: string, toolArguments: Record<string, unknown> = {}): Promise<ToolResult> =>
  client.callTool({ name, arguments: toolArguments });

it('filters come fifty at a time with their totals, unless more are asked for', async () => {
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
});

it('look-ups take a list as JSON too, and say what is wrong with an item', async () => {
  mcp.api.services.on(lookUpAccounts, ({ accounts }) => ({
    results: accounts.map(({ url }) =>
      url === 'nonsense' ? { slug: null, details: { url: ['url is no link'] } } : { slug: 'luna' },
    ),
  }));
  const accounts = [{ url: 'https://x.com/luna', platform: null }, { url: 'nonsense' }];
  const lookedUp = await call('lookup_accounts', { accounts: JSON.stringify(accounts) });
  expect(textOf(lookedUp)).toBe('creators known for 1 of 2 accounts');
  expect(lookedUp.structuredContent).toEqual({
    results: [{ slug: 'luna' }, { slug: null, problem: 'url is no link' }],
  });
  const wrong = await call('lookup_accounts', { accounts: [{ handle: 'luna' }] });
  expect(Object.keys(toolError(wrong).details ?? {})).toEqual(['accounts[0].platform']);
  expect(charges()).toEqual([]);
});

it('creators come ten at a time, with the cursor of the next ones', async () => {
  const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
  mcp.api.services.on(searchCreators, () => foundCreators([entry], next));
  const first = await call('search_creators', { country: 'Chile' });
  const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
  await call('search_creators', { country: 'Chile', cursor });
  expect(mcp.api.services.payloadsOf(searchCreators)).toEqual([
    { country: 'Chile', limit: 10, sort: 'recent' },
    { country: 'Chile', limit: 10, sort: 'recent', after_slug: next.slug, after_updated_at: next.updated_at },
  ]);
  await mcp.api.outcomes(2);
});

it('a paid call is repeated under its idempotency_key, or that in the header, and says that it was', async () => {
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
