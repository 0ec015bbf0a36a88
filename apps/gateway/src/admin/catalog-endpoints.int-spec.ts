import {
  getCreatorReport,
  getFreshness,
  getRemoval,
  listCreatorRecords,
  listRefreshSlugs,
  listRemovals,
  type MessageContract,
  readmitCreator,
  removeCreator,
  ServiceError,
  WithBytes,
} from '#contracts';
import { AdminFixture } from './admin.fixture.js';
import { removal } from './answers.fixture.js';

const admin = AdminFixture.forTests();
const { id: removal_id, reference } = removal;
const accounts = [{ platform: 'youtube', handle: '@ada' }] as const;

interface Expected {
  readonly body?: object;
  readonly asks: object;
  readonly answer: unknown;
  readonly status?: number;
  /** The body of the reply, when it is not the answer itself. */
  readonly shows?: object;
}

type Endpoint = readonly [call: string, message: MessageContract<unknown, unknown>, expected: Expected];

const page = { items: [removal], next_cursor: 'def' };
const ofRemovals: readonly Endpoint[] = [
  [
    'POST /creators/ada/remove',
    removeCreator,
    { body: { reference }, asks: { slug: 'ada', reference }, answer: removal, status: 201 },
  ],
  [
    'POST /removals',
    removeCreator,
    {
      body: { reference: ` ${reference}`, note: 'by mail', accounts },
      asks: { reference, note: 'by mail', accounts },
      answer: removal,
      status: 201,
    },
  ],
  [
    'GET /removals?limit=2&cursor=abc',
    listRemovals,
    { asks: { limit: 2, cursor: 'abc' }, answer: page, shows: { removals: [removal], next_cursor: 'def' } },
  ],
  [`GET /removals/${removal_id}`, getRemoval, { asks: { removal_id }, answer: removal }],
  [`DELETE /removals/${removal_id.toUpperCase()}`, readmitCreator, { asks: { removal_id }, answer: removal }],
];

const report = { creators: [], removals: [removal] };
const freshness = { by: 'country', computed_at: null, rows: [] };
const ofUpkeep: readonly Endpoint[] = [
  ['GET /creators/ada/report', getCreatorReport, { asks: { slug: 'ada' }, answer: report }],
  [
    'GET /catalog/report?platform=youtube&handle=%40ada',
    getCreatorReport,
    { asks: { platform: 'youtube', handle: '@ada' }, answer: report },
  ],
  ['GET /catalog/freshness', getFreshness, { asks: { by: 'platform' }, answer: freshness }],
  ['GET /catalog/freshness?by=country', getFreshness, { asks: { by: 'country' }, answer: freshness }],
];

describe('every endpoint asks the catalog and shows the answer', () => {
  it.each([...ofRemovals, ...ofUpkeep])(
    '%s',
    async (call, message, { body, asks, answer, status = 200, shows }) => {
      admin.on(message, () => answer);
      expect(await admin.call(call, body)).toMatchObject({ status, body: shows ?? answer });
      expect(admin.received).toEqual([{ pattern: message.pattern, payload: asks }]);
    },
  );
});

it.each(['GET /removals/5', 'DELETE /removals/x', 'POST /creators/A/remove'])(
  '404 for a malformed id: %s',
  async (call) => {
    const body = call.startsWith('POST') ? { reference } : undefined;
    expect(await admin.call(call, body)).toMatchObject({ status: 404 });
    expect(admin.received).toEqual([]);
  },
);

it.each([
  ['GET /catalog/report?platform=youtube', ['handle']],
  ['GET /catalog/freshness?by=language', ['by']],
  [
    'GET /catalog/refresh-list?limit=0&platform=myspace&min_age_days=-1',
    ['limit', 'min_age_days', 'platform'],
  ],
])('400 for %s', async (call, fields) => {
  const reply = await admin.call(call);
  const { details } = reply.body as { details: object };
  expect([reply.status, Object.keys(details).sort()]).toEqual([400, fields]);
  expect(admin.received).toEqual([]);
});

describe('the list of creators to be refreshed', () => {
  const slugs = Array.from({ length: 20_300 }, (_, at) => `c${at}`);

  it('has their records as NDJSON, in their order, over pages of slugs and of records', async () => {
    const asked: unknown[] = [];
    admin.on(listRefreshSlugs, ({ cursor, limit, ...filters }) => {
      asked.push({ limit, cursor, ...filters });
      const start = Number(cursor ?? 0);
      const items = slugs.slice(start, start + limit);
      const next = start + items.length;
      return { items, next_cursor: next < slugs.length ? String(next) : null };
    });
    // Of one page of records, every creator was deleted meanwhile.
    admin.on(listCreatorRecords, ({ slugs: page }) => {
      const lines = page[0] === 'c200' ? [] : page.map((slug) => `{"slug":"${slug}"}\n`);
      return new WithBytes({ returned: lines.length }, Buffer.from(lines.join('')));
    });
    const { status, headers, body } = await admin.call(
      'GET /catalog/refresh-list?limit=20200&platform=x&country=Peru&min_age_days=30',
    );
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const expected = slugs.filter((_, at) => at < 20_200 && (at < 200 || at >= 400));
    expect(String(body)).toBe(expected.map((slug) => `{"slug":"${slug}"}\n`).join(''));
    const filters = { platform: 'x', country: 'Peru', min_age_days: 30 };
    expect(asked).toEqual([
      { limit: 20_000, cursor: undefined, ...filters },
      { limit: 200, cursor: '20000', ...filters },
    ]);
  });

  it('is an error, not an empty file, when the catalog does not answer', async () => {
    admin.on(listRefreshSlugs, () => {
      throw new ServiceError('unavailable', 'not now');
    });
    expect(await admin.call('GET /catalog/refresh-list')).toMatchObject({ status: 503 });
  });
});
