import { type CreatorRecord, platforms } from '#contracts';
import { type CatalogFixture } from '../catalog.fixture.js';
import { readLookup } from '../lookup/lookup-keys.js';
import { type SearchEngine } from './search-engine.js';

export type Lookup = { readonly url: string } | { readonly platform: string; readonly handle: string };
type Account = CreatorRecord['platforms'][number];

/** The slugs that the engine finds for these accounts, as a consumer writes them. */
export async function lookUp(engine: SearchEngine, lookups: readonly Lookup[]): Promise<(string | null)[]> {
  const keys = lookups.map((one) => {
    const read = readLookup(one);
    if ('details' in read) throw new Error(JSON.stringify(read.details));
    return read.keys;
  });
  return engine.lookUp(keys);
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
export function lookUpNaively(records: readonly CreatorRecord[], lookup: Lookup): string | null {
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
export function lookupsFor(records: readonly CreatorRecord[]): Lookup[] {
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

/** Compares look-ups with a brute force, with every engine that the catalog may use. */
export async function compareLookUps(
  { engines, engineNames }: CatalogFixture,
  records: readonly CreatorRecord[],
  lookups: readonly Lookup[],
): Promise<void> {
  const expected = lookups.map((lookup) => lookUpNaively(records, lookup));
  expect(expected.filter((slug) => slug !== null).length).toBeGreaterThan(20);
  expect(expected).toContain(null);
  for (const engine of engineNames) {
    const found = await lookUp(engines[engine], lookups);
    const pairs = lookups.map((lookup, index) => ({ engine, lookup, slug: found[index] }));
    expect(pairs).toEqual(lookups.map((lookup, index) => ({ engine, lookup, slug: expected[index] })));
  }
}
