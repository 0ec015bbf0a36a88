import { platforms } from '#contracts';
import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { EntryWriter, type SearchEntry, writeRecord } from './search-entry.js';

/** Everything that JSON escapes or that separates lines, and strings in any script. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'"\\\n\r\t\0\u001f\u007f\u2028/😀ü,n') }),
);
/** The usual URL of a platform account, or nearly it. */
const urlFor = (handle: string) =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('https://www.youtube.com/@', 'https://x.com/'),
        fc.constantFrom('', '/', '/videos'),
      )
      .map((parts) => parts.join(handle)),
    text.map((rest) => `https://any.example/${rest}`),
  );

const accounts = fc.subarray([...platforms]).chain((chosen) =>
  fc.tuple(
    ...chosen.map((platform) =>
      text.chain((handle) =>
        fc.record({
          platform: fc.constant(platform),
          handle: fc.constant(handle),
          url: urlFor(handle),
          followers: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 50)),
        }),
      ),
    ),
  ),
);

const entryArbitrary: fc.Arbitrary<SearchEntry> = fc.record({
  slug: fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/),
  name: text,
  country: text,
  reach: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 53 - 1)),
  // In the order of the creator's record, which can be any.
  accounts: accounts.chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
});

/** An entry of a search result written out as documented. */
function spelledOut({ slug, name, country, reach, accounts: list }: SearchEntry, siteUrl: string): string {
  return JSON.stringify({
    slug,
    name,
    url: `${siteUrl.replace(/\/+$/, '')}/creators/${slug}`,
    country,
    total_reach: reach,
    platforms: list.map(({ platform, handle, url, followers }) => ({
      platform,
      handle: `@${handle}`,
      url,
      followers,
    })),
  });
}

it('an entry that was kept as a record is the documented one, byte by byte', () => {
  const sites = fc.constantFrom('https://site.example', 'https://site.example//', 'https://site.example/"a');
  fc.assert(
    fc.property(entryArbitrary, sites, (entry, siteUrl) => {
      expect(new EntryWriter(siteUrl).entry(writeRecord(entry))).toBe(spelledOut(entry, siteUrl));
    }),
    { numRuns: propertyRuns(300) },
  );
});
