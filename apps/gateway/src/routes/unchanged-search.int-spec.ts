import {
  authenticateKey,
  charge,
  type ChargeReply,
  searchCreators,
  unpayableSearchLimit,
  WithBytes,
} from '#contracts';
import { generateApiKey } from '#platform';
import { PublicApiFixture, goodKey } from '../fixtures/public-api.fixture.js';

const api = PublicApiFixture.forSuite();
afterEach(() => expect(api.settlements.waiting).toBe(0));

const path = '/search?country=Chile&limit=2';

let key: string;
/** Each test has a key, and an account, with limits of its own. */
beforeEach(() => {
  key = generateApiKey();
  const account_id = key;
  api.services.on(authenticateKey, ({ key_hash: key_id }) => ({
    key: { ...goodKey, key_id, account_id },
  }));
});

function get(etag?: string, asked = path): Promise<Response> {
  const condition: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag };
  return api.get(asked, { headers: { authorization: `Bearer ${key}`, ...condition } });
}

/** The tag of what a paid search answers. */
async function paidTag(): Promise<string> {
  const { headers } = await get();
  expect(await api.outcomes(1)).toEqual(['posted']);
  return headers.get('etag') ?? '';
}

/** The catalog finds this from now on: what is not named here is as before. */
function find({
  total = 3,
  creators = '[{"a":1},{"b":2}]',
  updated_at = '2026-01-01T00:00:00.000Z',
} = {}): void {
  const next = total > 2 ? { slug: 'b', updated_at } : null;
  const returned = (JSON.parse(creators) as unknown[]).length;
  api.services.on(searchCreators, () => new WithBytes({ total, returned, next }, Buffer.from(creators)));
}

beforeEach(() => find());

it.each<[string, () => void, string?]>([
  ['with another creator', () => find({ creators: '[{"a":1},{"c":2}]' })],
  ['of more creators', () => find({ total: 4 })],
  ['that is the last one now', () => find({ total: 2 })],
  ['of other filters', () => undefined, '/search?country=Peru&limit=2'],
  ['in another order', () => undefined, `${path}&sort=reach`],
])('a page of a search %s is a 200 with another tag, and paid', async (_which, change, asked = path) => {
  const etag = await paidTag();
  change();
  const changed = await get(etag, asked);
  expect([changed.status, changed.headers.get('x-credits-used')]).toEqual([200, '2']);
  expect(changed.headers.get('etag')).not.toBe(etag);
  expect(await api.outcomes(1)).toEqual(['posted']);
});

describe('a page of a search, with a balance of 0,', () => {
  const { calls: freeMax } = unpayableSearchLimit;

  /** Billing takes nothing from now on, and refuses what costs something, or could. */
  function spendAll(): void {
    api.services.on(charge, ({ credits, credits_if_matched = 0 }): ChargeReply => {
      const credits_needed = credits || credits_if_matched;
      return credits_needed > 0
        ? { outcome: 'insufficient_credits', credits_needed, credits_remaining: 0 }
        : { outcome: 'charged', credits_used: 0, credits_remaining: 0 };
    });
  }

  it('is free however often while it is unchanged; tags that name nothing ask no more questions than none', async () => {
    const etag = await paidTag();
    spendAll();
    for (let time = 0; time <= freeMax; time++) expect((await get(etag)).status).toBe(304);

    find({ total: 0, creators: '[]' });
    const empty = (await get()).headers.get('etag') ?? '';
    for (let time = 1; time < freeMax; time++) expect((await get(empty)).status).toBe(304);
    const [none, some] = [await get(empty), (find(), await get(empty))];
    expect([none.status, some.status]).toEqual([402, 402]);
    expect(await none.json()).toEqual(await some.json());

    expect((await get(etag)).status).toBe(304);
  });
});
