import { platforms } from '@app/contracts';
import fc from 'fast-check';
import { CreatorJson } from '../../creators/creator-json.js';
import { recordOf } from '../../creators/creator-records.fixture-spec.js';
import { type Creator, totalReach } from '../../creators/creator.js';
import { parseCreatorRecord } from '../../creators/parse-creator-record.js';
import { EntryWriter, writeRecord } from './record.js';

/** Everything that JSON escapes or that separates lines, beside texts of any script. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\r',
      '\t',
      '\0',
      '\u001f',
      '\u007f',
      '\u2028',
      '/',
      '😀',
      'ü',
      ',',
      'n',
    ),
  }),
);
const urls = [
  'https://www.youtube.com/@',
  'https://www.instagram.com/',
  'https://www.tiktok.com/@',
  'https://www.facebook.com/',
  'https://x.com/',
  'https://other.example/?q="\\n',
];
/** The usual address of some platform, or one that is nearly it. */
const urlFor = (handle: string) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...urls), fc.constantFrom('', '/', '/videos'))
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
          updated_at: fc.constant('2024-01-01T00:00:00.000Z'),
        }),
      ),
    ),
  ),
);

const creatorArbitrary: fc.Arbitrary<Creator> = fc.record({
  slug: fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/),
  name: text,
  tagline: fc.constant(''),
  country: text,
  languages: fc.constant([]),
  verified: fc.boolean(),
  website: fc.constant(null),
  categories: fc.constant([]),
  // In the order of the record, whichever that is.
  platforms: accounts.chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
});

function recordFor({ slug, name, country, platforms: list }: Creator): string {
  return writeRecord({ slug, name, country, reach: totalReach({ platforms: list }), accounts: list });
}

it('an entry that was kept as a record is the one that PostgreSQL would give, byte by byte', () => {
  const sites = fc.constantFrom('https://site.example', 'https://site.example//', 'https://site.example/"a');
  fc.assert(
    fc.property(creatorArbitrary, sites, (creator, siteUrl) => {
      expect(new EntryWriter(siteUrl).entry(recordFor(creator))).toBe(
        new CreatorJson(siteUrl).searchEntry(creator),
      );
    }),
    { numRuns: 2_000 },
  );
});

it.each(platforms)('the address that the import gives to an account on %s is not kept', (platform) => {
  const account = { platform, handle: '@some.one_1', followers: 1, updated_at: '2024-01-01T00:00:00Z' };
  const creator = parseCreatorRecord(recordOf('some-one', { platforms: [account] }), new Date());
  expect(recordFor(creator)).not.toContain('http');
  expect(recordFor(creator).split('\n')).toHaveLength(8);
});
