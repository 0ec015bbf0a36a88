import { readFileSync } from 'node:fs';
import { eventually } from '#testing';
import { tableBelow } from '../../tools/docs/markdown.fixture.js';
import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { nextPath } from '../support/calls.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type CreditFields, paths, type PublicReply } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const guide = readFileSync('docs/guides/prices-and-limits.md', 'utf8');
const catalog = SuiteCatalog.forSuite();
/** Two creators whom all searches of the guide find. */
const records = ['one', 'two'].map((name) =>
  catalog.record(name, {
    name: `Luna ${name}`,
    country: 'Brazil',
    platforms: [catalog.account({ platform: 'tiktok', followers: 20_000 })],
  }),
);
const profile = paths.profile(records[0]?.slug ?? '');
const dear = `${paths.search}?q=luna&platform=tiktok&min_followers=10000&max_followers=50000`;

beforeAll(async () => {
  await catalog.import(records);
  const pool = new KeyPool();
  await eventually(async () => {
    const { creators } = await pool.search({ q: 'luna', country: 'Brazil', limit: 100 });
    const slugs = creators.map(({ slug }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(records.map(({ slug }) => slug)));
  }, 10_000);
});

type Trial = (account: TestAccount) => Promise<unknown>;

const get = (path: string, account: TestAccount, headers = {}): Promise<PublicReply<CreditFields>> =>
  api.get<CreditFields>(path, account.key, { headers });

/** The rows of the guide that are no search of their own: what comes before the call, and the call. */
const trials: Readonly<Record<string, { readonly before?: Trial; readonly call: Trial }>> = {
  'The same again, or its next page': {
    before: (account) => get(dear, account),
    call: async (account) => {
      await get(dear, account);
      const other = await createFundedAccount();
      const first = await get(`${dear}&limit=1`, other);
      expect(await spentBy(other.id, () => get(nextPath(first) ?? '', other))).toBe(5);
    },
  },
  'The same again with the same `Idempotency-Key`, within 15 minutes, up to five times': {
    before: (account) => get(dear, account, { 'idempotency-key': account.id }),
    call: (account) =>
      eventually(async () => {
        const again = await get(dear, account, { 'idempotency-key': account.id });
        expect(again).toMatchObject({ status: 200, body: { credits_used: 0 } });
      }, 5_000),
  },
  'The same again, unchanged since the `ETag` you sent': {
    call: async (account) => {
      const other = await createFundedAccount();
      const { etag = '' } = (await get(dear, other)).headers;
      expect((await get(dear, account, { 'if-none-match': etag })).status).toBe(304);
    },
  },
  'A search that matches no creator': {
    call: async (account) => expect((await api.search({ q: randomWord() }, account.key)).status).toBe(200),
  },
  '`creators/{slug}`': { call: (account) => get(profile, account) },
  '`creators/{slug}`, unchanged since the `ETag` you sent': {
    call: async (account) => {
      const other = await createFundedAccount();
      const { etag = '' } = (await get(profile, other)).headers;
      expect((await get(profile, account, { 'if-none-match': etag })).status).toBe(304);
    },
  },
  '`balance`, `usage`, `calls`, `filters`, `lookup`': {
    call: async (account) => {
      for (const path of ['balance', 'usage', 'calls', 'filters', 'lookup?url=x.com/luna']) {
        expect((await get(`/api/public/v1/${path}`, account)).status).toBe(200);
      }
    },
  },
  'Every error; a response that was not delivered in full': {
    call: async (account) => {
      const unanswered = [`${paths.search}?limit=0`, paths.profile(randomWord()), `${paths.search}s`];
      const replies = await Promise.all(unanswered.map((path) => get(path, account)));
      expect(replies.map(({ status }) => status)).toEqual([400, 404, 404]);
    },
  },
};

function trialOf(what: string): { readonly before?: Trial; readonly call: Trial } {
  const [, query] = /^`search(\?.*)?`(?: without filters)?$/.exec(what) ?? [null, null];
  if (query !== null) return { call: (account) => get(paths.search + (query ?? ''), account) };
  const trial = trials[what];
  if (!trial) throw new Error(`no test knows what "${what}" means`);
  return trial;
}

describe('the price list of the guide', () => {
  it.each(tableBelow(guide, 'What calls cost'))('%s: %s', async (what, price) => {
    const { before, call } = trialOf(what);
    const account = await createFundedAccount();
    await before?.(account);
    const spent = await spentBy(account.id, () => call(account));
    expect(spent).toBe(Number(price));
  });
});

interface PackView {
  readonly pack: string;
  readonly credits: number;
  readonly price_cents: number | null;
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

describe('the packs', () => {
  let packs: readonly PackView[];
  beforeAll(async () => {
    const reply = await admin.call<{ readonly packs: readonly PackView[] }>('GET', '/packs');
    packs = succeeded(reply).packs;
  });

  it('are sold at the prices that docs/api.md lists', () => {
    const rows = packs.map(({ pack, credits, price_cents: cents }) => {
      const name = pack.charAt(0).toUpperCase() + pack.slice(1);
      const count = credits.toLocaleString('en');
      if (cents === null) return [name, `${count} or more per month`, 'agreed', 'from $0.18'];
      return [name, count, dollars(cents).replace('.00', ''), dollars(cents / credits)];
    });
    expect(tableBelow(readFileSync('docs/api.md', 'utf8'), 'Packs')).toEqual(rows);
  });
});
