import { type CreatorSelection, type CreatorView, platforms } from '#contracts';
import { propertyRuns } from '#testing';
import fc from 'fast-check';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { operator, recordOf } from '../creators/creator-records.fixture.js';
import { randomCatalog } from '../search/random-catalog.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const by = operator('unpublishing');

const importFrom = async (source: string | undefined, records: readonly object[]) =>
  (await catalog.importFile(records, { source })).reports[0];

/** All pages of a list. */
async function listAll(selection: CreatorSelection, limit = 50): Promise<CreatorView[]> {
  const found: CreatorView[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await catalog.creators.list({ ...selection, limit, cursor });
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  return found;
}
const slugsOf = async (selection: CreatorSelection) => (await listAll(selection)).map(({ slug }) => slug);

it('the source is that of the import that last changed a creator; an operator leaves none', async () => {
  const sourceOf = async () => (await catalog.creators.show('sourced')).source;
  const steps: (readonly [string | null, () => Promise<unknown>])[] = [
    ['one', () => importFrom('one', [recordOf('sourced')])],
    ['one', () => importFrom('two', [recordOf('sourced')])],
    ['two', () => importFrom('two', [recordOf('sourced', { tagline: 'changed' })])],
    ['two', () => catalog.creators.publish('sourced', false)],
    [null, () => catalog.creators.put('sourced', recordOf('sourced'))],
    [null, () => importFrom(undefined, [recordOf('sourced', { tagline: 'again' })])],
  ];
  for (const [source, step] of steps) {
    await step();
    expect(await sourceOf()).toBe(source);
  }
});

describe('creators of all kinds', () => {
  const records = randomCatalog(120, 7);
  beforeAll(async () => {
    await catalog.query('TRUNCATE creators, creator_accounts');
    await importFrom(
      'even',
      records.filter((_, at) => at % 2 === 0),
    );
    await importFrom(
      'odd',
      records.filter((_, at) => at % 2 === 1),
    );
  });

  it('are listed by source, country, platform and whether they are published, in pages by slug', async () => {
    const all = await listAll({}, 7);
    expect(all.map(({ slug }) => slug)).toEqual(records.map(({ slug }) => slug).sort());
    const one = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const selections = fc.record({
      source: one('even', 'odd', 'none'),
      country: one('tr', 'Turkey', 'Ελλάς', 'nowhere'),
      platform: one(...platforms),
      published: one(true, false),
    });
    await fc.assert(
      fc.asyncProperty(selections, async (wanted) => {
        const countries: Record<string, string> = { tr: 'Türkiye', Turkey: 'Türkiye' };
        const { country = '' } = wanted;
        const isWanted = (creator: CreatorView) =>
          (wanted.source ?? creator.source) === creator.source &&
          (country === '' || (countries[country] ?? country) === creator.country) &&
          (!wanted.platform || creator.platforms.some(({ platform }) => platform === wanted.platform)) &&
          (wanted.published ?? creator.published) === creator.published;
        expect(await listAll(wanted, 7)).toEqual(all.filter(isWanted));
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  it('are unchanged when what is listed is imported', async () => {
    const before = await listAll({});
    const exported = before.map(({ url: _url, total_reach: _reach, source: _source, ...record }) => record);
    expect(await importFrom('back', exported)).toMatchObject({ received: 120, unchanged: 120 });
    expect(await listAll({})).toEqual(before);
  });

  it('are unpublished by their source, which searches see; a second time does nothing', async () => {
    const published = await slugsOf({ published: true, source: 'odd' });
    const others = await slugsOf({ published: true, source: 'even' });
    const dry = { source: 'odd', dry_run: true };
    expect(await catalog.creators.unpublishSource(dry, by)).toEqual({
      unpublished: published.length,
      next_cursor: null,
    });
    const real = { ...dry, dry_run: false };
    expect(await catalog.creators.unpublishSource(real, by)).toMatchObject({
      unpublished: published.length,
    });
    expect(await slugsOf({ published: true })).toEqual(others);
    const { total } = await catalog.engines.bitmap.search({ words: [], limit: 1 });
    expect(total).toBe(others.length);
    expect(await catalog.creators.unpublishSource(real, by)).toEqual({
      unpublished: 0,
      next_cursor: null,
    });
    const logged = await catalog.query(
      `SELECT action, subject, after FROM admin_log WHERE request_id = 'unpublishing'`,
    );
    const after = { unpublished: published.length };
    expect(logged).toEqual([{ action: 'creators.unpublished', subject: 'odd', after }]);
  });
});

it('more creators than one request unpublishes are unpublished by the next ones', async () => {
  const records = Array.from({ length: 1_001 }, (_, at) => recordOf(`many-${String(at).padStart(4, '0')}`));
  await importFrom('many', records);
  const given = { source: 'many', dry_run: false };
  const first = await catalog.creators.unpublishSource(given);
  expect(first).toEqual({ unpublished: 1_000, next_cursor: 'many-0999' });
  const rest = { ...given, cursor: 'many-0999' };
  expect(await catalog.creators.unpublishSource(rest)).toEqual({ unpublished: 1, next_cursor: null });
}, 30_000);
