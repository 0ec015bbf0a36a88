import { type SearchParameters } from '@app/client';
import { admin } from '../support/admin-api.js';
import { createFundedAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { expectedMatches } from '../support/reference-search.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const pool = new KeyPool();
const word = randomWord();
const category = `niche-${randomWord()}`;
const language = `Tongue ${randomWord()}`;
const elsewhere = `${catalog.country} Elsewhere`;

/** All seven filters, each with a value that some creators of this suite pass and some do not. */
const filters: SearchParameters = {
  q: word,
  country: catalog.country,
  category,
  language,
  platform: 'tiktok',
  min_followers: 1_500,
  max_followers: 6_500,
};
const filterNames = Object.keys(filters) as (keyof SearchParameters)[];
const isolating: readonly (keyof SearchParameters)[] = ['q', 'country', 'category', 'language'];

/** One creator for each way to pass and fail q, country, category, language and platform; sizes vary over them. */
const records = Array.from({ length: 32 }, (_, mask) => {
  const has = (bit: number) => (mask & (1 << bit)) !== 0;
  return catalog.record(`mask-${mask}`, {
    name: has(0) ? `Prefixed ${word.toUpperCase()}s` : 'Someone else',
    country: has(1) ? catalog.country : elsewhere,
    categories: has(2) ? [category, 'gaming'] : ['gaming'],
    languages: has(3) ? ['French', language] : ['French'],
    platforms: [
      catalog.account({
        platform: has(4) ? 'tiktok' : 'youtube',
        followers: 1_000 + ((mask * 7) % 32) * 200,
      }),
      catalog.account({ platform: 'x', followers: (mask % 5) * 500 }),
    ],
  });
});

/** Every subset of the seven filters: 128. */
const combinations = Array.from({ length: 2 ** filterNames.length }, (_, mask) => {
  const names = filterNames.filter((_name, bit) => (mask & (1 << bit)) !== 0);
  return { title: names.join(' + ') || 'no filter', names };
});

function only(names: readonly (keyof SearchParameters)[]): SearchParameters {
  return Object.fromEntries(names.map((name) => [name, filters[name]]));
}

beforeAll(async () => {
  await catalog.import(records);
  await catalog.importVisible(
    records.filter(({ country }) => country === catalog.country),
    pool,
  );
});
afterAll(() => catalog.remove());

describe('a search costs 1 credit and 1 for each filter, in all 128 combinations', () => {
  it.each(combinations)('$title', async ({ names }) => {
    const params = only(names);
    const key = await pool.key();
    const reply = await api.search({ ...params, limit: 100 }, key);
    expect(reply).toMatchObject({ status: 200, body: { credits_used: 1 + names.length } });
    const expected = expectedMatches(records, params);
    if (names.some((name) => isolating.includes(name))) {
      expect(reply.body.total).toBe(expected.length);
      expect(reply.body.creators.map(({ slug }) => slug)).toEqual(expected.map(({ slug }) => slug));
    } else {
      expect(reply.body.total).toBeGreaterThanOrEqual(expected.length);
    }
  });
});

describe('a search that matches no creator costs nothing, in every combination that can match none', () => {
  const nothing: SearchParameters = {
    q: randomWord(),
    country: `Nowhere ${randomWord()}`,
    category: randomWord(),
    language: randomWord(),
    min_followers: Number.MAX_SAFE_INTEGER,
  };
  const names = Object.keys(nothing) as (keyof SearchParameters)[];
  const cases = combinations.flatMap(({ title, names: used }) => {
    const failing = used.find((name) => names.includes(name) && !used.includes('max_followers'));
    const name = failing ?? used.find((other) => isolating.includes(other));
    return name === undefined ? [] : [{ title, name, params: { ...only(used), [name]: nothing[name] } }];
  });

  it.each(cases)('$title, nothing for $name', async ({ params }) => {
    const found = await pool.search(params);
    expect(found).toMatchObject({ total: 0, returned: 0, credits_used: 0, creators: [] });
  });
});

describe('the price of a search is taken from the balance', () => {
  it.each([
    ['rule 1: q and country', { q: word, country: catalog.country }, 3],
    ['rule 2: limit is not a filter', { country: catalog.country, limit: 1 }, 2],
    ['rule 2: min_followers=0 is a filter', { country: catalog.country, min_followers: 0 }, 3],
    ['rule 3: no filter', {}, 1],
    ['rule 4: no match', { country: randomWord(), q: word }, 0],
  ] as [string, SearchParameters, number][])('%s', async (_rule, params, cost) => {
    const account = await createFundedAccount({ credits: 30 });
    const reply = await api.search(params, account.key);
    expect(reply.body).toMatchObject({ credits_used: cost, credits_remaining: 30 - cost });
    expect(await admin.balance(account.id)).toBe(30 - cost);
    const charges = (await admin.ledger(account.id)).filter(({ type }) => type === 'charge');
    expect(charges.map(({ credits }) => credits)).toEqual(cost === 0 ? [] : [-cost]);
  });
});
