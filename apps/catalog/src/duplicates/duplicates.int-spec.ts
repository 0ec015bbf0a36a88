import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, engineNames, openCatalog } from '../catalog.fixture.js';
import { on, operator, recordOf } from '../creators/creator-records.fixture.js';
import { DuplicatesService } from './duplicates.service.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const by = operator('join');
const notFound = { code: 'not_found' };
const handlesOf = async (slug: string) =>
  (await catalog.creators.show(slug)).platforms.map(({ platform, handle }) => platform + handle);
const publicSlug = async (slug: string) =>
  (JSON.parse((await catalog.profiles.find(slug))?.toString() ?? '{}') as { slug?: string }).slug;

/** Stores two creators of one name with an account each, and joins the first into the second. */
async function joined(name: string): Promise<[old: string, current: string]> {
  const [old, current] = [`${name}-old`, name];
  await catalog.importRecords([
    recordOf(old, { platforms: [on('x', `${name}_x`)] }),
    recordOf(current, { platforms: [on('youtube', name)] }),
  ]);
  await catalog.joins.join(old, current, by);
  return [old, current];
}

describe('joining two records of a person', () => {
  it('adds what the other one has: accounts, languages and categories, and fields that were empty', async () => {
    await catalog.importRecords([
      recordOf('full-old', {
        name: 'Old name',
        tagline: 'of the old one',
        website: 'https://old.example/',
        country: 'Norway',
        verified: true,
        languages: ['English', 'Norwegian'],
        categories: ['art', 'music'],
        platforms: [
          on('x', 'new_x', { updated_at: '2024-05-01T00:00:00.000Z' }),
          on('tiktok', 'same.day'),
          on('facebook', 'only.old'),
        ],
      }),
      recordOf('full', {
        country: 'Unknown',
        tagline: 'of the new one',
        published: false,
        platforms: [on('x', 'old_x'), on('tiktok', 'kept'), on('youtube', 'only.new')],
      }),
    ]);
    const creator = await catalog.joins.join('full-old', 'full');
    expect(creator).toEqual(await catalog.creators.show('full'));
    expect(creator).toMatchObject({
      ...{ slug: 'full', name: 'Name of full', tagline: 'of the new one', website: 'https://old.example/' },
      ...{ country: 'Norway', verified: true, published: false },
      ...{ languages: ['English', 'Norwegian'], categories: ['music', 'art'] },
    });
    const handles = ['x@new_x', 'tiktok@kept', 'youtube@only.new', 'facebook@only.old'];
    expect(await handlesOf('full')).toEqual(handles);
    const owners = await catalog.query(`SELECT key FROM creator_accounts WHERE slug LIKE 'full%' ORDER BY 1`);
    expect(owners).toHaveLength(handles.length);
  });

  it('is found by both engines as one creator, at once', async () => {
    const [old, current] = await joined('searched');
    for (const name of engineNames) {
      const engine = catalog.engines[name];
      const { total, creators } = await engine.search({ words: ['searched'], limit: 10 });
      expect([total, creators.toString()]).toEqual([1, expect.not.stringContaining(old)]);
      expect(await engine.lookUp([['x/@searched_x'], ['youtube/@searched']])).toEqual([current, current]);
    }
  });

  it('a second time changes nothing, and the log has each change once, under the slug of its creator', async () => {
    const [old, current] = await joined('twice');
    const before = await catalog.query(`SELECT revision FROM creators WHERE slug = $1`, [current]);
    expect(await catalog.joins.join(old, current, by)).toMatchObject({ slug: current });
    expect(await catalog.query(`SELECT revision FROM creators WHERE slug = $1`, [current])).toEqual(before);
    const log = await catalog.query(
      `SELECT action, subject, before->>'slug' AS before, after FROM admin_log WHERE subject LIKE 'twice%' ORDER BY id`,
    );
    expect(log).toMatchObject([
      { action: 'creator.updated', subject: current, after: { slug: current } },
      { action: 'creator.joined', subject: old, before: old, after: { joined_into: current } },
    ]);
  });

  it.each([
    ['itself', 'wrong', 'wrong', 'invalid_request', 'into must be another creator'],
    ['itself by an old slug', 'wrong', 'wrong-old', 'invalid_request', 'into must be another creator'],
    ['nobody', 'wrong', 'nobody', 'not_found', 'no creator with the slug nobody'],
    ['one as nobody', 'nobody', 'wrong', 'not_found', 'no creator with the slug nobody'],
    ['a removed one', 'wrong', 'wrong-removed', 'conflict', 'wrong-removed was removed at'],
    [
      'a third one by an old slug',
      'wrong-old',
      'wrong-third',
      'conflict',
      'was joined into wrong; join that',
    ],
  ])('is refused into %s', async (_what, from, into, code, message) => {
    await catalog.importRecords([recordOf('wrong-removed'), recordOf('wrong-third')]);
    if (into === 'wrong-removed') await catalog.removals.remove({ slug: into, reference: 'by mail' });
    await joined('wrong');
    const refused = { code, message: expect.stringContaining(message) as string };
    await expect(catalog.joins.join(from, into)).rejects.toMatchObject(refused);
  });
});

describe('an old slug', () => {
  it('leads to the creator, also over several joins, until the creator is deleted', async () => {
    const [old, middle] = await joined('chain');
    await catalog.importRecords([recordOf('chain-end')]);
    await catalog.joins.join(middle, 'chain-end');
    for (const slug of [old, middle]) {
      expect(await publicSlug(slug)).toBe('chain-end');
      expect((await catalog.profiles.findPublic(slug))?.url).toMatch(/\/chain-end$/);
    }
    expect(await catalog.creators.publish(old, false)).toMatchObject({ slug: 'chain-end', published: false });
    await catalog.creators.remove('chain-end');
    for (const slug of [old, middle]) {
      await expect(catalog.creators.show(slug)).rejects.toMatchObject(notFound);
    }
    expect(await catalog.importRecords([recordOf(old)])).toMatchObject({ created: 1 });
  });

  it('in an import is the creator, once', async () => {
    const [old, current] = await joined('imported');
    const line = (slug: string) =>
      recordOf(slug, { tagline: 'imported', platforms: [on('tiktok', 'import')] });
    expect(await catalog.importRecords([line(old), line(current)])).toMatchObject({
      updated: 1,
      errors: [{ line: 2, error: expect.stringContaining('already on line 1') as string }],
    });
    expect(await catalog.creators.show(current)).toMatchObject({ tagline: 'imported' });
    expect(await catalog.query('SELECT FROM creators WHERE slug = $1', [old])).toEqual([]);
  });

  it('in a PUT replaces the creator, and is no slug for a new one', async () => {
    const [old, current] = await joined('named');
    const put = await catalog.creators.put(old, recordOf(old, { tagline: 'put' }));
    expect(put).toMatchObject({ created: false, creator: { slug: current, tagline: 'put' } });
    const unnamed = recordOf('', { slug: undefined, name: 'Named Old', platforms: [on('x', 'somebody')] });
    expect(await catalog.importRecords([unnamed])).toMatchObject({ created: 1 });
    expect(await handlesOf('named-old-2')).toEqual(['x@somebody']);
  });

  it('that is deleted leads nowhere, and the creator stays', async () => {
    const [old, current] = await joined('freed');
    await catalog.creators.remove(old, by);
    expect([await publicSlug(old), await publicSlug(current)]).toEqual([undefined, current]);
    const log = await catalog.query(
      `SELECT before FROM admin_log WHERE subject = 'freed-old' AND action = 'creator.deleted'`,
    );
    expect(log).toEqual([{ before: { joined_into: current } }]);
  });

  it('removes the person, who stays out by every slug, and of whom nothing is kept', async () => {
    const [old, current] = await joined('asks');
    await catalog.removals.remove({ slug: old, reference: 'by mail' });
    for (const slug of [old, current]) {
      expect(await publicSlug(slug)).toBeUndefined();
      const record = recordOf(slug, { platforms: [on('x', 'unknown')] });
      expect(await catalog.importRecords([record])).toMatchObject({ removed: 1 });
    }
    for (const table of ['admin_log', 'import_changes', 'creator_aliases']) {
      expect(JSON.stringify(await catalog.query(`SELECT * FROM ${table}`))).not.toMatch(/asks/);
    }
  });
});

it('undoing an import leaves creators that were joined since', async () => {
  const imports = [recordOf('undone'), recordOf('undone-old', { platforms: [] })].map((record) => [record]);
  const ids: string[] = [];
  for (const records of imports) ids.push((await catalog.importFile(records)).id);
  // Adds nothing that the other one has not.
  await catalog.joins.join('undone-old', 'undone');
  for (const id of ids) {
    expect(await catalog.undoing.undo(id)).toMatchObject({ restored: 0, deleted: 0, skipped: 1 });
  }
  expect(await publicSlug('undone-old')).toBe('undone');
});

it('creators who are probably one are listed with why, page by page', async () => {
  const other = await openCatalog();
  const of = (slug: string, name: string, country: string, account: string, more: object = {}) => {
    const [platform = '', handle = ''] = account.split(' ');
    return recordOf(slug, { name, country, platforms: [on(platform, handle)], ...more });
  };
  await other.importRecords([
    of('a-1', 'Ada Ø', 'Norway', 'youtube ada'),
    of('a-2', 'ADA O', 'Norway', 'x ada'),
    of('a-3', 'ada o', 'France', 'tiktok ADA', {
      platforms: [on('tiktok', 'ADA'), on('instagram', 'ada')],
    }),
    of('b-1', 'Bea', 'Spain', 'x bea', { website: 'http://www.Bea.example' }),
    of('b-2', 'Beatriz', 'Spain', 'x bea_2', { website: 'https://bea.example/' }),
    of('c-1', 'Bea', 'Chile', 'x bea_3'),
    ...Array.from({ length: 11 }, (_, at) => of(`usual-${at}`, 'Maria', 'Spain', `x maria_${at}`)),
  ]);
  const service = new DuplicatesService(new TransactionRunner(other.dataSource));
  const found = [
    { slugs: ['a-1', 'a-2'], names: ['Ada Ø', 'ADA O'], same: ['name and country'] },
    { slugs: ['a-1', 'a-2', 'a-3'], names: ['Ada Ø', 'ADA O', 'ada o'], same: ['name and handle'] },
    { slugs: ['b-1', 'b-2'], names: ['Bea', 'Beatriz'], same: ['website'] },
  ];
  expect(await service.list(10)).toEqual({ items: found, next_cursor: null });
  const pages = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await service.list(1, cursor);
    pages.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(found);
  await other.close();
});
