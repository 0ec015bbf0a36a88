import { charge, getProfiles, WithBytes } from '#contracts';
import { AnswerTags } from '../answers/answer-tags.js';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const ADMIN_TOKEN = 'the token of the operator';
const tags = new AnswerTags({ ADMIN_TOKEN });
const luna = { slug: 'luna', name: 'Lúna' };
const sol = { slug: 'sol', name: 'Sol' };
const tagOf = (profile: object): string => tags.tagOf(Buffer.from(JSON.stringify(profile)));
/** `old-luna` is a slug from before Luna's records were joined. */
const known: Readonly<Record<string, object>> = { luna, sol, 'old-luna': luna };

const api = PublicApiFixture.forSuite({ ADMIN_TOKEN });
beforeEach(() =>
  api.services.on(getProfiles, ({ slugs }) => {
    const profiles = slugs.flatMap((slug) => {
      const profile = known[slug];
      return profile ? [{ slug, bytes: Buffer.from(JSON.stringify(profile)) }] : [];
    });
    const found = profiles.map(({ slug, bytes }) => ({ slug, length: bytes.length }));
    return new WithBytes({ found }, Buffer.concat(profiles.map(({ bytes }) => bytes)));
  }),
);
afterEach(() => expect(api.settlements.waiting).toBe(0));

const read = (creators: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  api.get('/creators/batch', {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ creators }),
  });

it('new, unchanged and unknown profiles come in the order asked, for one credit each that is found', async () => {
  const asked = [
    { slug: 'nobody' },
    { slug: 'sol', etag: tagOf(sol) },
    { slug: 'luna', etag: 'W/"older"' },
    { slug: 'Not a slug\u0000' },
  ];
  const response = await read(asked);
  expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '1']);
  expect(await response.json()).toEqual({
    results: [
      { slug: 'nobody', status: 'not_found' },
      { slug: 'sol', status: 'unchanged', etag: tagOf(sol) },
      { slug: 'luna', status: 'found', etag: tagOf(luna), profile: luna },
      { slug: 'Not a slug\u0000', status: 'not_found' },
    ],
    credits_used: 1,
    credits_remaining: 99,
  });
  expect(api.services.payloadsOf(getProfiles)).toEqual([{ slugs: ['nobody', 'sol', 'luna'] }]);
  expect(api.services.payloadsOf(charge)).toMatchObject([{ operation: 'profiles', credits: 1, total: 2 }]);
  expect(await api.outcomes(1)).toEqual(['posted']);
});

it('a creator who is named twice, also by an old slug, is paid once', async () => {
  const response = await read(['luna', 'old-luna', 'luna', 'sol'].map((slug) => ({ slug })));
  const { results, credits_used } = (await response.json()) as { results: object[]; credits_used: number };
  expect(results).toMatchObject([
    { slug: 'luna', profile: luna },
    { slug: 'old-luna', profile: luna },
    { slug: 'luna', profile: luna },
    { slug: 'sol', profile: sol },
  ]);
  expect(credits_used).toBe(2);
  await api.outcomes(1);
});

it('a call in which nothing is found is free, and one of the 600 free calls, however many it asks for', async () => {
  const etag = tagOf(sol);
  const response = await read(Array.from({ length: 100 }, () => ({ slug: 'sol', etag })));
  expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '0']);
  expect(response.headers.get('ratelimit-policy')).toBe('"free";q=600;w=60');
  expect(response.headers.get('ratelimit')).toMatch(/^"free";r=599;t=\d+$/);
  expect(await api.settlementsSoFar()).toEqual([]);
});

it('with other tags it is another call to its Idempotency-Key: a repetition gets no more than was paid', async () => {
  const once = { 'idempotency-key': 'once' };
  await read([{ slug: 'luna' }, { slug: 'sol', etag: tagOf(sol) }], once);
  await read([{ slug: 'luna' }, { slug: 'sol', etag: tagOf(sol) }], once);
  await read([{ slug: 'luna' }, { slug: 'sol' }], once);
  const [first, same, other] = api.services.payloadsOf(charge).map(({ fingerprint }) => fingerprint);
  expect(same).toBe(first);
  expect(other).not.toBe(first);
  await api.outcomes(3);
});

it.each([
  [Array.from({ length: 101 }, () => ({ slug: 'luna' })), 'creators'],
  [[{ slug: 'luna', tag: 'W/"a"' }], 'creators[0].tag'],
])('%j is refused, free', async (creators, field) => {
  const response = await read(creators);
  const { details } = (await response.json()) as { details: object };
  expect([response.status, Object.keys(details)]).toEqual([400, [field]]);
  expect(api.services.payloadsOf(charge)).toEqual([]);
});
