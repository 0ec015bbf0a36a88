import { type CatalogFixture, engineNames, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { type Lookup, lookUp } from './compared-look-ups.fixture.js';

let catalog: CatalogFixture;

describe.each(engineNames)('a look-up with the %s engine', (engine) => {
  const channel = 'https://www.youtube.com/channel/UCX6OQ3DkcsbYNE6H8uQQuVA';

  beforeAll(async () => {
    catalog = await openCatalog();
    await catalog.importRecords([
      recordOf('older', { platforms: [accountOf({ handle: 'Tandem', updated_at: '2020-01-01T00:00:00Z' })] }),
      recordOf('newer', {
        platforms: [accountOf({ handle: '@tandem', updated_at: '2024-01-01T00:00:00Z' })],
      }),
      recordOf('as-new', {
        platforms: [accountOf({ handle: 'tAndem', updated_at: '2024-01-01T00:00:00Z' })],
      }),
      recordOf('custom', {
        platforms: [accountOf({ handle: 'other', url: 'https://youtube.com/c/tandem' })],
      }),
      recordOf('channel', { platforms: [accountOf({ handle: 'channel', url: channel })] }),
      recordOf('hidden', { published: false, platforms: [accountOf({ handle: 'hidden' })] }),
      recordOf('bare', { platforms: [] }),
    ]);
  });
  afterAll(() => catalog.close());

  it('returns the creator with the newest data, then the first by slug', async () => {
    expect(await lookUp(catalog.engines[engine], [{ platform: 'youtube', handle: 'tandem' }])).toEqual([
      'as-new',
    ]);
    await catalog.creators.publish('as-new', false);
    expect(await lookUp(catalog.engines[engine], [{ platform: 'youtube', handle: 'tandem' }])).toEqual([
      'newer',
    ]);
    await catalog.creators.publish('as-new', true);
  });

  it('prefers the creator that a link names exactly to one that it may mean', async () => {
    const links = [
      'youtube.com/c/Tandem',
      'youtube.com/tandem',
      'youtube.com/user/tandem',
      'youtube.com/@tandem',
    ];
    expect(
      await lookUp(
        catalog.engines[engine],
        links.map((url) => ({ url })),
      ),
    ).toEqual(['custom', 'custom', 'as-new', 'as-new']);
  });

  it('answers in the order asked, also when one occurs twice', async () => {
    const lookups = [
      { url: channel },
      { platform: 'x', handle: 'tandem' },
      { url: channel },
      { url: 'youtube.com/@channel' },
    ];
    expect(await lookUp(catalog.engines[engine], lookups)).toEqual(['channel', null, 'channel', 'channel']);
    expect(await lookUp(catalog.engines[engine], [])).toEqual([]);
  });

  it('finds no creator that is hidden, was deleted or has changed its account', async () => {
    const handle = { platform: 'youtube', handle: 'moving' };
    expect(
      await lookUp(catalog.engines[engine], [{ platform: 'youtube', handle: 'hidden' }, handle]),
    ).toEqual([null, null]);
    await catalog.importRecords([recordOf('mover', { platforms: [accountOf({ handle: 'moving' })] })]);
    expect(await lookUp(catalog.engines[engine], [handle])).toEqual(['mover']);
    await catalog.importRecords([recordOf('mover', { platforms: [accountOf({ handle: 'moved' })] })]);
    expect(await lookUp(catalog.engines[engine], [handle, { platform: 'youtube', handle: 'moved' }])).toEqual(
      [null, 'mover'],
    );
    await catalog.creators.remove('mover');
    expect(await lookUp(catalog.engines[engine], [handle, { platform: 'youtube', handle: 'moved' }])).toEqual(
      [null, null],
    );
  });
});

describe('creators whose keys were derived by an older version', () => {
  beforeEach(async () => {
    catalog = await openCatalog();
    const named = (slug: string) => recordOf(slug, { platforms: [accountOf({ handle: slug })] });
    await catalog.importRecords(Array.from({ length: 20 }, (_, index) => named(`c${index}`)));
  });
  afterEach(() => catalog.close());

  const of = (slug: string): Lookup => ({ platform: 'youtube', handle: slug });
  it('are found by no account that they no longer have', async () => {
    // As an older service does, which does not know the keys.
    await catalog.query(
      `UPDATE creators SET platforms = replace(platforms::text, '"c7"', '"renamed"')::jsonb WHERE slug = 'c7';
       UPDATE creators SET platforms = replace(platforms::text, '@c7"', '@renamed"')::jsonb WHERE slug = 'c7'`,
    );
    expect(await lookUp(catalog.engines.sql, [of('c7'), of('c8')])).toEqual([null, 'c8']);
  });
});
