import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '#testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { environment } from '../support/environment.js';
import { eras, McpConsumer } from '../support/mcp.js';
import {
  api,
  type BalanceBody,
  type CreditFields,
  type ErrorBody,
  type ProfileBody,
  type SearchBody,
} from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

interface Filters {
  readonly countries: { readonly name: string; readonly creators: number }[];
}

const catalog = SuiteCatalog.forSuite();
const handle = randomWord();
const creators = ['ada', 'bea', 'cleo'].map((name) => catalog.record(name));
const known = catalog.record('dora', { platforms: [catalog.account({ platform: 'x', handle })] });
const secret = catalog.record('eve', { published: false });

beforeAll(() => catalog.importVisible([...creators, known, secret]));

const consumers: McpConsumer[] = [];
afterAll(() => Promise.all(consumers.map((consumer) => consumer.close())));

async function connected(era: (typeof eras)[number], key: string | null): Promise<McpConsumer> {
  const consumer = await McpConsumer.connect(era, key);
  consumers.push(consumer);
  return consumer;
}

describe.each(eras)('/mcp, for a %s client,', (era) => {
  it('gives a model filters, a search, look-ups and a profile at the prices of the API', async () => {
    const account = await createFundedAccount({ credits: 20 });
    const mcp = await connected(era, account.key);
    expect(mcp.instructions).toContain('list_filters');

    const { countries } = await mcp.call<Filters>('list_filters', { limit: 1_000 });
    expect(countries.find(({ name }) => name === catalog.country)).toEqual({
      name: catalog.country,
      creators: 4,
    });

    const found = await mcp.call<SearchBody>('search_creators', { country: catalog.country, max_credits: 2 });
    expect(found).toMatchObject({ total: 4, returned: 4, credits_used: 2, credits_remaining: 18 });
    const same = (await api.search({ country: catalog.country }, account.key)).body;
    expect(found.creators).toEqual(same.creators);

    const { results } = await mcp.call<{ results: { slug: string }[] }>('lookup_accounts', {
      accounts: [{ url: `https://twitter.com/${handle}?s=20` }, { platform: 'x', handle: randomWord() }],
    });
    expect(results).toEqual([{ slug: known.slug }, { slug: null }]);

    const profile = await mcp.call<ProfileBody>('get_creator', { slug: known.slug });
    expect(profile).toMatchObject({ slug: known.slug, credits_used: 1, credits_remaining: 15 });

    expect(await mcp.call<BalanceBody>('get_balance')).toMatchObject({ credits_remaining: 15 });
    await eventually(async () => {
      const entries = (await admin.ledger(account.id)).filter(({ type }) => type === 'charge');
      expect(entries.map(({ operation, credits, state }) => [operation, credits, state])).toEqual([
        ['profile', -1, 'posted'],
        ['search', -2, 'posted'],
        ['search', -2, 'posted'],
      ]);
    });
    expect(await admin.balance(account.id)).toBe(15);
  });

  it('charges nothing for a call that fails, and says why', async () => {
    const account = await createFundedAccount({ credits: 3 });
    const mcp = await connected(era, account.key);
    const spent = await spentBy(account.id, async () => {
      const dear = { country: catalog.country, category: 'fitness', language: 'English' };
      expect(await mcp.error<ErrorBody>('search_creators', dear)).toMatchObject({
        error: expect.stringMatching(
          /^This call costs 4 credits and 3 are left; buy a pack at \S+\/account\/buy to continue\.$/,
        ) as string,
        credits_needed: 4,
        credits_remaining: 3,
      });
      expect(await mcp.error<ErrorBody>('search_creators', { ...dear, max_credits: 1 })).toMatchObject({
        error: expect.stringContaining('costs up to 4 credits, more than max_credits (1)') as string,
      });
      expect(await mcp.error<ErrorBody>('search_creators', { limit: 0, nmae: 'x' })).toMatchObject({
        details: { limit: ['limit must be an integer between 1 and 100'], nmae: [/not a known argument/] },
      });
      for (const slug of [secret.slug, randomWord(), '../admin']) {
        expect((await mcp.error<ErrorBody>('get_creator', { slug })).error).toContain('No published creator');
      }
      await expect(mcp.call('buy_pack')).rejects.toThrow('Unknown tool');
      expect(await mcp.call<CreditFields>('search_creators', { q: randomWord() })).toMatchObject({
        total: 0,
        credits_used: 0,
        warning: expect.stringContaining('3 credits') as string,
      });
    });
    expect(spent).toBe(0);
  });

  it('shows its tools to everyone, and needs a key for calls', async () => {
    const mcp = await connected(era, null);
    await expect(mcp.call('search_creators', {})).rejects.toThrow('An API key is required');
  });
});

it('a key has one limit of 60 searches a minute, by the API and by tools together', async () => {
  const account = await createFundedAccount();
  const mcp = await connected('modern', account.key);
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      expect((await api.search({ q: randomWord() }, account.key)).status).toBe(200);
      await mcp.call('search_creators', { q: randomWord() });
    }),
  );
  expect((await mcp.error<ErrorBody>('search_creators', {})).error).toMatch(
    /^A key may search 60 times in 60 seconds; try again in \d+ seconds?\.$/,
  );
  expect((await api.search({}, account.key)).status).toBe(429);
  expect(await mcp.call('get_creator', { slug: known.slug })).toMatchObject({ credits_used: 1 });
});

it('a client that hangs up in the middle of a call pays nothing', async () => {
  const account = await createFundedAccount({ credits: 100 });
  const { hostname, port } = new URL(environment.publicUrl);
  const params = { name: 'search_creators', arguments: { country: catalog.country, limit: 100 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const head = `POST /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${account.key}\r\nContent-Type: application/json`;
  const request = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(request, resolve));
      socket.resetAndDestroy();
    }),
  );
  await eventually(async () => {
    expect(await admin.balance(account.id)).toBe(100);
    expect((await admin.ledger(account.id)).map(({ state }) => state)).not.toContain('pending');
  }, 10_000);
});
