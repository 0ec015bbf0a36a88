import { TransactionRunner } from '#platform/database';
import { BlockList } from '../creators/block-list.js';
import { CreatorJson } from '../creators/creator-json.js';
import { type CatalogFixture, openCatalog, siteUrl } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { RemovalsRepository } from '../removals/removals.repository.js';
import { CreatorReportService } from './creator-report.service.js';

let catalog: CatalogFixture;
let reports: CreatorReportService;
beforeAll(async () => {
  catalog = await openCatalog();
  reports = new CreatorReportService(
    new TransactionRunner(catalog.dataSource),
    new RemovalsRepository(),
    new BlockList(),
    catalog.demand,
    new CreatorJson(siteUrl),
  );
});
afterAll(() => catalog.close());

const ada = recordOf('ada', { platforms: [accountOf({ handle: 'ada' })] });
const importFrom = (source: string | undefined, record: object) => {
  const chunk = { import_id: crypto.randomUUID(), seq: 0, first_line: 1, ...(source ? { source } : {}) };
  return catalog.imports[0].importChunk(chunk, Buffer.from(JSON.stringify(record)));
};
const held = async () => (await reports.report({ slug: 'ada' })).creators[0];

it('has the record, when it was stored and changed, its source, and how often it is asked for', async () => {
  await importFrom('a list of 2026', ada);
  const before = new Date();
  await catalog.demand.add(new Map([['ada', 3]]));
  const first = await held();
  expect(first).toEqual({
    creator: await catalog.creators.show('ada'),
    first_stored_at: expect.stringMatching(/Z$/) as string,
    last_changed_at: first?.first_stored_at,
    source: 'a list of 2026',
    recent_reads: 3,
    last_read_at: expect.stringMatching(/Z$/) as string,
  });
  expect(Date.parse(first?.first_stored_at ?? '')).toBeLessThanOrEqual(before.getTime() + 1_000);

  await importFrom('another list', ada);
  expect(await held()).toMatchObject({ source: 'a list of 2026', last_changed_at: first?.last_changed_at });
  await importFrom('another list', { ...ada, tagline: 'new' });
  const changed = await held();
  expect(changed).toMatchObject({ source: 'another list', first_stored_at: first?.first_stored_at });
  expect(changed?.last_changed_at).not.toBe(first?.last_changed_at);
  await catalog.creators.put('ada', { ...ada, tagline: 'newer' });
  expect(await held()).toMatchObject({ source: null });
});

it('is found by an account too, and after a removal says that nothing but this is held', async () => {
  const account = { platform: 'youtube', handle: '@ADA' } as const;
  expect((await reports.report(account)).creators.map(({ creator }) => creator.slug)).toEqual(['ada']);
  const removal = await catalog.removals.remove({ slug: 'ada', reference: 'r' });
  const nothing = { creators: [], removals: [removal] };
  expect(await reports.report({ slug: 'ada' })).toEqual(nothing);
  expect(await reports.report(account)).toEqual(nothing);
  expect(await reports.report({ slug: 'nobody' })).toEqual({ creators: [], removals: [] });
  expect(() => reports.report({ platform: 'x', handle: '@' })).toThrow('not valid');
});
