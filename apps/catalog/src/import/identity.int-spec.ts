import { type ImportReport, type ImportRules } from '#contracts';
import { propertyRuns } from '#testing';
import fc from 'fast-check';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { on, recordOf } from '../creators/creator-records.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const merge: ImportRules = { mode: 'merge', move_accounts: false };
const move: ImportRules = { mode: 'replace', move_accounts: true };
/** A record without a slug. */
const unnamed = (name: string, ...platforms: object[]) =>
  recordOf('unnamed', { slug: undefined, name, platforms });
const named = (slug: string, ...platforms: object[]) => recordOf(slug, { platforms });
const reasonOf = ({ errors }: ImportReport) => errors.map(({ error }) => error);

async function handlesOf(slug: string): Promise<string[]> {
  return (await catalog.creators.show(slug)).platforms.map(({ platform, handle }) => platform + handle);
}

describe('a record without a slug', () => {
  it('is that of the creator who has one of its accounts, whatever its name', async () => {
    await catalog.importRecords([named('found', on('x', 'found_x'))]);
    const report = await catalog.importRecords([
      unnamed('Another Name', on('youtube', 'found.tube'), on('x', '@FOUND_X')),
    ]);
    expect(report).toMatchObject({ created: 0, updated: 1 });
    expect(await catalog.creators.show('found')).toMatchObject({ name: 'Another Name' });
    expect(await handlesOf('found')).toEqual(['youtube@found.tube', 'x@FOUND_X']);
  });

  it('with a name that others of the file have is another creator than they are, by its accounts', async () => {
    const file = Array.from({ length: 14 }, (_, at) => unnamed('Maria', on('x', `maria_${at}`)));
    expect(await catalog.importRecords([...file, named('maria-3', on('x', 'third'))])).toMatchObject({
      created: 15,
    });
    expect(await catalog.importRecords(file)).toMatchObject({ unchanged: 14 });
  });

  it('gets no slug that a removal keeps out', async () => {
    await catalog.importRecords([named('gone', on('x', 'gone'))]);
    await catalog.removals.remove({ slug: 'gone', reference: 'by mail' });
    expect(await catalog.importRecords([unnamed('Gone', on('x', 'not_gone'))])).toMatchObject({ created: 1 });
    expect(await handlesOf('gone-2')).toEqual(['x@not_gone']);
  });

  it('that shares an account with an earlier line is a duplicate, or merged', async () => {
    const lines = ['replace', 'merge'].map((word) => [
      unnamed(`Twice ${word}`, on('x', `twice_${word}`)),
      unnamed('Other', on('x', `twice_${word}`), on('youtube', `twice.${word}`)),
    ]);
    const report = await catalog.importRecords(lines[0] ?? []);
    expect(report).toMatchObject({ created: 1, rejected: 1 });
    expect(reasonOf(report)[0]).toContain('twice-replace is already on line 1');
    expect(await catalog.importRecords(lines[1] ?? [], merge)).toMatchObject({ created: 1, updated: 1 });
    expect(await handlesOf('twice-merge')).toEqual(['x@twice_merge', 'youtube@twice.merge']);
  });
});

describe('an account of another creator', () => {
  beforeAll(() =>
    catalog.importRecords([
      named('first', on('x', 'first_x'), on('tiktok', 'first.t')),
      named('second', on('youtube', 'second')),
    ]),
  );

  it.each([
    [
      named('third', on('youtube', 'second')),
      'account of another creator: youtube/@second belongs to second, not to third',
    ],
    [
      unnamed('Both', on('x', 'first_x'), on('youtube', 'second')),
      'accounts of several creators: they belong to first and second',
    ],
  ])('is refused with both slugs', async (record, sentence) => {
    const report = await catalog.importRecords([record], merge);
    expect(reasonOf(report)).toEqual([sentence]);
    expect(report.reasons).toEqual([{ reason: sentence.split(':')[0], lines: 1 }]);
    expect(await handlesOf('second')).toEqual(['youtube@second']);
  });

  it('is a conflict when it is put', async () => {
    const put = catalog.creators.put('third', named('third', on('youtube', 'second')));
    const message = expect.stringContaining('belongs to second') as string;
    await expect(put).rejects.toMatchObject({ code: 'conflict', message });
  });

  it('moves if that is wanted, and who has none left is unpublished', async () => {
    await catalog.importRecords([named('third', on('x', 'first_x'), on('youtube', 'second'))], move);
    expect(await handlesOf('third')).toEqual(['x@first_x', 'youtube@second']);
    expect(await handlesOf('first')).toEqual(['tiktok@first.t']);
    expect(await catalog.creators.show('first')).toMatchObject({ published: true });
    expect(await catalog.creators.show('second')).toMatchObject({ published: false, platforms: [] });
  });
});

describe('merging', () => {
  it('adds and updates the accounts named, the newer of one platform; what is empty or absent stays', async () => {
    const counted = (followers: number, day: number) => ({ followers, updated_at: `2024-02-0${day}` });
    await catalog.importRecords([
      recordOf('merged', {
        tagline: 'stays',
        platforms: [
          on('x', 'merged', counted(1, 5)),
          on('tiktok', 'merged', counted(1, 5)),
          on('instagram', 'merged', counted(1, 5)),
        ],
      }),
    ]);
    const added = {
      name: '',
      languages: [],
      verified: true,
      platforms: [
        on('x', 'merged', counted(2, 6)),
        on('tiktok', 'merged', counted(2, 4)),
        on('youtube', 'merged', counted(7, 1)),
      ],
    };
    expect(await catalog.importRecords([added], merge)).toMatchObject({ updated: 1, rejected: 0 });
    const creator = await catalog.creators.show('merged');
    expect(creator).toMatchObject({
      name: 'Name of merged',
      tagline: 'stays',
      languages: ['English'],
      verified: true,
    });
    expect(creator.platforms.map(({ platform, followers }) => [platform, followers])).toEqual([
      ['x', 2],
      ['tiktok', 1],
      ['instagram', 1],
      ['youtube', 7],
    ]);
    expect(await catalog.importRecords([added], merge)).toMatchObject({ unchanged: 1 });
  });

  it('makes no new creator without a name or a country', async () => {
    const report = await catalog.importRecords([{ name: 'New', platforms: [on('x', 'nobody_yet')] }], merge);
    expect(reasonOf(report)).toEqual(['country is missing, and the creator is new']);
  });

  it('takes defaults for a new creator only', async () => {
    const defaults = { name: 'Default', country: 'Peru', languages: ['Spanish'], published: false };
    const handles = ['merged', 'defaulted'];
    const records = handles.map((handle) => ({ platforms: [on('x', handle, { followers: 9 })], defaults }));
    expect(
      await catalog.importRecords([...records, { ...records[1], country: 'Chile' }], merge),
    ).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await catalog.creators.show('default')).toMatchObject({ ...defaults, country: 'Chile' });
    expect(await catalog.creators.show('merged')).toMatchObject({
      name: 'Name of merged',
      country: 'Utopia',
      languages: ['English'],
      published: true,
    });
    const bad = [{ ...records[0], defaults: { platforms: [] } }];
    expect((await catalog.importRecords(bad, merge)).reasons).toEqual([
      { reason: 'defaults must be a JSON object without slug and platforms', lines: 1 },
    ]);
  });
});

it('a creator without accounts is stored, and not published', async () => {
  await catalog.importRecords([recordOf('bare-import', { published: true, platforms: [] })]);
  await catalog.creators.put('bare-put', recordOf('bare-put', { platforms: [] }));
  for (const slug of ['bare-import', 'bare-put']) {
    await expect(catalog.creators.publish(slug, true)).rejects.toMatchObject({
      code: 'conflict',
      message: "This creator can't be published: it has no account on any platform.",
    });
    expect(await catalog.creators.show(slug)).toMatchObject({ published: false });
  }
});

it('countries and languages get one spelling; names that stand for none are kept and reported', async () => {
  const spelled = { country: 'UK', languages: ['eng', 'FRENCH', 'Klingonese'] };
  const report = await catalog.importRecords([
    recordOf('spelled', spelled),
    recordOf('spelled-2', { country: 'Utopia' }),
  ]);
  expect(report.unknown_names).toEqual(['Klingonese', 'Utopia']);
  expect(await catalog.creators.show('spelled')).toMatchObject({
    country: 'United Kingdom',
    languages: ['English', 'French', 'Klingonese'],
  });
});

const handles = ['a', 'b', 'c', 'd'].map((name) => `random_${name}`);
const slug = fc.option(fc.constantFrom('random-1', 'random-2', 'random-3'), { nil: undefined });
const record = fc
  .tuple(
    slug,
    fc.uniqueArray(fc.constantFrom('x', 'tiktok', 'youtube'), { minLength: 1 }),
    fc.infiniteStream(fc.constantFrom(...handles)),
    fc.nat(3),
  )
  .map(([own, platforms, words, followers]) =>
    recordOf('random', {
      slug: own,
      name: 'Random',
      platforms: platforms.map((platform) => on(platform, String(words.next().value), { followers })),
    }),
  );
const file = fc.record({
  records: fc.array(record, { minLength: 1, maxLength: 6 }),
  perChunk: fc.integer({ min: 1, max: 6 }),
  mode: fc.constantFrom('replace', 'merge'),
  move_accounts: fc.boolean(),
});

/** An account that a creator gives up stays free, also when the creator then loses another one. */
const accountGivenUp = [
  { records: [recordOf('random-3', { platforms: [on('tiktok', 'random_c')] })], mode: 'replace' },
  {
    records: [
      recordOf('random-3', { platforms: [on('x', 'random_a')] }),
      recordOf('random-1', { platforms: [on('x', 'random_a')] }),
      recordOf('random', { slug: undefined, platforms: [on('tiktok', 'random_c')] }),
    ],
    mode: 'replace',
  },
].map((given) => ({ ...given, perChunk: 1, move_accounts: true }));

/** Keys without their creators, creators without their keys, and creators who share one. */
const brokenSql = `
  SELECT key, own.slug, account.slug AS owner
  FROM (SELECT slug, unnest(account_keys) AS key FROM creators) AS own
    FULL JOIN creator_accounts AS account USING (key)
  WHERE own.slug IS DISTINCT FROM account.slug`;

/** What a dry run leaves as it is. */
const stateOf = () =>
  catalog.query(
    `SELECT revision, (SELECT md5(string_agg(creators::text, '|' ORDER BY slug)) FROM creators) FROM catalog_state`,
  );

it('whatever is imported in whatever way, an account has one creator and every line one outcome, which a dry run foretells', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 5 }), async (files) => {
      for (const { records, ...options } of files) {
        const before = await stateOf();
        const foretold = (await catalog.importFile(records, { ...options, purpose: 'compare' })).reports;
        expect(await stateOf()).toEqual(before);
        const imported = (await catalog.importFile(records, options)).reports;
        const sum = (report: ImportReport) =>
          report.created + report.updated + report.unchanged + report.rejected + report.removed;
        for (const [at, report] of imported.entries()) {
          expect(sum(report)).toBe(report.received);
          const { created, updated, unchanged, errors } = report;
          expect(foretold[at]).toMatchObject({ created, updated, unchanged, errors });
        }
        expect(await catalog.query(brokenSql)).toEqual([]);
      }
    }),
    { numRuns: propertyRuns(20), examples: [[accountGivenUp]] },
  );
}, 60_000);
