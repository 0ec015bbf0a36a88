import fc from 'fast-check';
import { accountOf, recordOf } from './creator-records.fixture.js';
import { parseCreatorRecord, prepareLine, RecordError, wholeRecord } from './parse-creator-record.js';

const now = new Date('2024-06-01T12:00:00Z');
const parse = (value: unknown) => parseCreatorRecord(value, now);
const record = (changes: object = {}) => recordOf('some-one', { ...changes });
const channel = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
const withAccount = (changes: object) => record({ platforms: [accountOf({ ...changes })] });

function problem(value: unknown): string {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof RecordError) return error.message;
    throw error;
  }
  return 'no problem';
}

it.each([
  ['Zoë 2', ['a'], 'zoe-2'],
  ['BTS 방탄소년단', ['a'], 'bts'],
  ['يزن الأسمر', ['Yazan.A'], 'yazan-a'],
  ['김우빈 2', ['woo_bin'], 'woo-bin'],
  ['김우빈', ['우빈', 'woo_bin'], 'woo-bin'],
  ['1984', ['七'], '1984'],
  ['김우빈', ['우빈'], 'creator-512b'],
])('the slug of %s with %j is %s', (name, handles, slug) => {
  const platforms = handles.map((handle, at) =>
    accountOf({ platform: ['youtube', 'x'][at], handle, followers: 9 - at }),
  );
  const { madeSlug } = prepareLine(
    1,
    wholeRecord(parse({ ...record({ name, platforms }), slug: undefined })),
  );
  expect(madeSlug.slice(0, 12)).toBe(slug);
});

describe('a record', () => {
  it('keeps what is given, trimmed; each language and category once, categories as slugs', () => {
    const given = {
      name: '  Zoë  Ærø ',
      tagline: 'one\nline, another',
      languages: ['English', ' English', 'Türkçe'],
      verified: true,
      website: 'https://site.example/?a=1#b',
      categories: ['Food & Drink', 'food-drink', 'Art'],
      published: false,
      platforms: [],
    };
    expect(parse(record(given))).toMatchObject({
      ...given,
      name: 'Zoë  Ærø',
      languages: ['English', 'Türkçe'],
      categories: ['food-drink', 'art'],
    });
  });

  it.each([
    ['youtube', '@zoë', 'zoë', 'https://www.youtube.com/@zo%C3%AB'],
    ['youtube', 'youtube.com/@Luna.Ray/videos', 'Luna.Ray', 'https://www.youtube.com/@Luna.Ray'],
    ['youtube', channel, channel, `https://www.youtube.com/channel/${channel}`],
    ['youtube', `youtube.com/channel/${channel}`, channel, `https://www.youtube.com/channel/${channel}`],
    ['youtube', 'https://www.youtube.com/c/Luna', 'Luna', 'https://www.youtube.com/c/Luna'],
    ['instagram', '@a.b_', 'a.b_', 'https://www.instagram.com/a.b_/'],
    ['instagram', 'https://instagram.com/luna?igsh=1', 'luna', 'https://www.instagram.com/luna/'],
    ['tiktok', '\u200b@@a.b\u202c', 'a.b', 'https://www.tiktok.com/@a.b'],
    ['facebook', 'a.b', 'a.b', 'https://www.facebook.com/a.b'],
    [
      'facebook',
      'facebook.com/profile.php?id=100012345678901',
      '100012345678901',
      'https://www.facebook.com/100012345678901',
    ],
    ['x', '＠ａ_b', 'a_b', 'https://x.com/a_b'],
    ['x', 'twitter.com/LunaRay', 'LunaRay', 'https://x.com/LunaRay'],
  ])('names a %s account by %s: %s, %s', (platform, given, handle, url) => {
    const [account] = parse(withAccount({ platform, handle: given })).platforms;
    expect(account).toMatchObject({ handle, url });
  });

  it.each([
    ['x', 'http://mobile.twitter.com/luna'],
    ['youtube', 'https://m.youtube.com/user/luna'],
    ['facebook', 'https://fb.com/luna'],
  ])('keeps the url of a %s account: %s', (platform, url) => {
    expect(parse(withAccount({ platform, url })).platforms[0]).toMatchObject({ handle: 'handle', url });
  });

  it.each([
    ['2024-01-02T03:04:05,5+05:30', '2024-01-01T21:34:05.500Z'],
    ['2024-01-02T03:04:05-0800', '2024-01-02T11:04:05.000Z'],
    ['2024-01-02T03:04:05+02', '2024-01-02T01:04:05.000Z'],
    ['2024-06-01', '2024-06-01T00:00:00.000Z'],
    // It has begun at UTC+14 only.
    ['2024-06-02', '2024-06-01T12:00:00.000Z'],
    ['2024-06-01T12:05:00Z', '2024-06-01T12:05:00.000Z'],
  ])('reads updated_at %s as %s', (updated_at, utc) => {
    expect(parse(withAccount({ updated_at })).platforms[0]?.updated_at).toBe(utc);
  });
});

describe('a record is refused with a sentence that begins with the field', () => {
  it.each<[string, unknown]>([
    ['record must be a JSON object', []],
    ['platforms must have an account when', record({ slug: undefined, platforms: [] })],
    ['slug must be', record({ slug: 'Some-One' })],
    ['name must be a string of 1 to 200', record({ name: '\u200b\u3164\u202e' })],
    ['categories[1] must have a letter', record({ categories: ['art', '\u0301'] })],
    ['platforms must not have two accounts on youtube', record({ platforms: [accountOf(), accountOf()] })],
    ['platforms[0].handle must consist of 1 to 30 letters', withAccount({ handle: 'N/A' })],
    ['platforms[0].handle must consist of 1 to 30 of', withAccount({ platform: 'instagram', handle: 'zoë' })],
    ['platforms[0].handle must consist of 1 to 20 of', withAccount({ platform: 'x', handle: 'a.b' })],
    [
      'platforms[0].handle was rounded by a spreadsheet',
      withAccount({ platform: 'facebook', handle: '1.00012E+14' }),
    ],
    ['platforms[0].handle is a link to an account on tiktok', withAccount({ handle: 'tiktok.com/@luna' })],
    ['platforms[0].handle leads to a post', withAccount({ handle: 'https://youtu.be/dQw4w9WgXcQ' })],
    [
      'platforms[0].handle is a link with the number',
      withAccount({ platform: 'x', handle: 'x.com/i/user/12' }),
    ],
    ['platforms[0].url must be a link to YouTube', withAccount({ url: 'https://evil.example/@luna' })],
    ['platforms[0].url is a link to an account on x', withAccount({ url: 'https://x.com/luna' })],
    [
      'platforms[0].url leads to a page of YouTube',
      withAccount({ url: 'https://youtube.com/redirect?q=evil.example' }),
    ],
    ['platforms[0].url is a short link of X', withAccount({ platform: 'x', url: 'https://t.co/abc' })],
    ['platforms[0].updated_at is in the future', withAccount({ updated_at: '2024-06-03' })],
    ['platforms[0].updated_at is in the future', withAccount({ updated_at: '2024-06-01T12:05:00.001Z' })],
    [
      'platforms have too many followers in total',
      record({
        platforms: ['youtube', 'x'].map((platform) =>
          accountOf({ platform, followers: Number.MAX_SAFE_INTEGER }),
        ),
      }),
    ],
    ['nmae is not a known field', { ...record(), nmae: 'x' }],
    ['__proto__ is not a known field', JSON.parse('{"__proto__": {"slug": "x"}}')],
    ['"a\\u0000b" is not a known field', { ...record(), 'a\u0000b': 1 }],
    ['platforms[0].followers_count is not a known field', withAccount({ followers_count: 5 })],
  ])('%s', (sentence, value) => {
    expect(problem(value).slice(0, sentence.length)).toBe(sentence);
  });

  it('any JSON is either read or refused', () => {
    const field = fc.constantFrom(...Object.keys(record({ tagline: '', published: true })), 'typo');
    const changes = fc.dictionary(field, fc.jsonValue(), { maxKeys: 3 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          changes.map((changed) => record(changed)),
        ),
        (value) => {
          expect(problem(value)).toMatch(/^\S+ \S/);
        },
      ),
    );
  });
});
