import { type CreatorRecord, platforms } from '@app/contracts';
import { type CatalogFixture, type EngineName, engineNames, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { checkThroughChanges } from './changed-catalog.fixture.js';

type Lookup = { readonly url: string } | { readonly platform: string; readonly handle: string };
type Account = CreatorRecord['platforms'][number];

let catalog: CatalogFixture;

async function lookUp(engine: EngineName, lookups: readonly Lookup[]): Promise<(string | null)[]> {
  const keys = lookups.map((one) => {
    const read = readLookup(one);
    if ('details' in read) throw new Error(JSON.stringify(read.details));
    return read.keys;
  });
  return catalog.engines[engine].lookUp(keys);
}

/** The form in which handles are compared, written from the rules and sharing no code with the service. */
function plainHandle({ platform, handle }: { readonly platform: string; readonly handle: string }): string {
  const name = handle.normalize('NFKC').trim().replace(/^@+/, '').toLowerCase();
  return platform === 'facebook' ? name.split('.').join('') : name;
}

function isAccount(account: Account, lookup: Lookup): boolean {
  if ('url' in lookup) return account.platform === 'youtube' && account.url === lookup.url;
  return account.platform === lookup.platform && plainHandle(account) === plainHandle(lookup);
}

/** The slug of the published creator with the newest data that has the account; found by reading all records. */
function lookUpNaively(records: readonly CreatorRecord[], lookup: Lookup): string | null {
  const newest = ({ platforms: accounts }: CreatorRecord): number =>
    Math.max(...accounts.map(({ updated_at }) => Date.parse(updated_at)));
  const [first] = records
    .filter(({ published, platforms: accounts }) => {
      return published !== false && accounts.some((account) => isAccount(account, lookup));
    })
    .sort((one, other) => newest(other) - newest(one) || (one.slug < other.slug ? -1 : 1));
  return first?.slug ?? null;
}

/** Every handle of any creator on some platform, on all of them, and every special link. */
function lookupsFor(records: readonly CreatorRecord[]): Lookup[] {
  const accounts = records.flatMap((record) => record.platforms);
  const handles = new Set([...accounts.map(({ handle }) => handle), 'nobody']);
  const links = new Set(
    accounts.flatMap(({ platform, url }) => (platform === 'youtube' && url ? [url] : [])),
  );
  return [
    ...[...handles].flatMap((handle) => platforms.map((platform) => ({ platform, handle }))),
    ...[...links].map((url) => ({ url })),
  ];
}

async function compareAll(records: readonly CreatorRecord[], lookups: readonly Lookup[]): Promise<void> {
  const expected = lookups.map((lookup) => lookUpNaively(records, lookup));
  expect(expected.filter((slug) => slug !== null).length).toBeGreaterThan(20);
  expect(expected).toContain(null);
  for (const engine of engineNames) {
    const found = await lookUp(engine, lookups);
    const pairs = lookups.map((lookup, index) => ({ engine, lookup, slug: found[index] }));
    expect(pairs).toEqual(lookups.map((lookup, index) => ({ engine, lookup, slug: expected[index] })));
  }
}

it.each([
  { seed: 1, preferIndexes: false },
  { seed: 2, preferIndexes: true },
])(
  'both engines find the account that a brute force finds, before and after changes, %j',
  async (catalogOptions) => {
    let lookups: Lookup[] | undefined;
    await checkThroughChanges(catalogOptions, async (opened, records) => {
      catalog = opened;
      await compareAll(records, (lookups ??= lookupsFor(records)));
    });
  },
  120_000,
);

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
    expect(await lookUp(engine, [{ platform: 'youtube', handle: 'tandem' }])).toEqual(['as-new']);
    await catalog.creators.publish('as-new', false);
    expect(await lookUp(engine, [{ platform: 'youtube', handle: 'tandem' }])).toEqual(['newer']);
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
        engine,
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
    expect(await lookUp(engine, lookups)).toEqual(['channel', null, 'channel', 'channel']);
    expect(await lookUp(engine, [])).toEqual([]);
  });

  it('finds no creator that is hidden, was deleted or has changed its account', async () => {
    const handle = { platform: 'youtube', handle: 'moving' };
    expect(await lookUp(engine, [{ platform: 'youtube', handle: 'hidden' }, handle])).toEqual([null, null]);
    await catalog.importRecords([recordOf('mover', { platforms: [accountOf({ handle: 'moving' })] })]);
    expect(await lookUp(engine, [handle])).toEqual(['mover']);
    await catalog.importRecords([recordOf('mover', { platforms: [accountOf({ handle: 'moved' })] })]);
    expect(await lookUp(engine, [handle, { platform: 'youtube', handle: 'moved' }])).toEqual([null, 'mover']);
    await catalog.creators.remove('mover');
    expect(await lookUp(engine, [handle, { platform: 'youtube', handle: 'moved' }])).toEqual([null, null]);
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
    expect(await lookUp('sql', [of('c7'), of('c8')])).toEqual([null, 'c8']);
  });
});
