import { accountUrls, type Platform, platforms } from '#contracts';
import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { keysOfAccount } from './keys-of-account.js';
import { readLookup } from './lookup-keys.js';

interface Account {
  readonly platform: Platform;
  readonly handle: string;
  readonly url: string;
}

/** Whether what a caller gave finds this account. */
function finds(given: object, account: Account): boolean {
  const read = readLookup(given);
  return 'keys' in read && read.keys.some((key) => keysOfAccount(account).includes(key));
}

const letters = [...'abcxyzABCXYZ019_'];
/** YouTube handles can be in any script, and some are older than its rules. */
const otherLetters = [..."-&',()éÉñбДक한桜✿😀\u0301"];

const plainHandle = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters, '.'), minLength: 1, maxLength: 12 }),
    fc.constantFrom(...letters),
  )
  .map(([start, end]) => `h${start}${end}`);
const anyHandle = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters, ...otherLetters), minLength: 1, maxLength: 12 }),
    fc.constantFrom(...letters, 'я', '😀'),
  )
  .map(([start, end]) => `h${start}${end}`);
const channelId = fc
  .string({ unit: fc.constantFrom(...letters, '-'), minLength: 22, maxLength: 22 })
  .map((rest) => `UC${rest}`);
const number = fc.bigInt({ min: 1n, max: 10n ** 15n }).map((id) => String(10n ** 14n + id));

const usual = ([platform, handle]: [Platform, string]): Account => ({
  platform,
  handle,
  url: accountUrls[platform].join(encodeURIComponent(handle)),
});

const accounts: fc.Arbitrary<Account> = fc.oneof(
  fc.tuple(fc.constantFrom(...platforms), plainHandle).map(usual),
  fc.tuple(fc.constant<Platform>('youtube'), anyHandle).map(usual),
  // The link as it was copied, not encoded.
  anyHandle.map((handle): Account => ({
    platform: 'youtube',
    handle,
    url: `https://www.youtube.com/@${handle}`,
  })),
  fc.tuple(anyHandle, channelId).map(([handle, id]): Account => ({
    platform: 'youtube',
    handle,
    url: `https://www.youtube.com/channel/${id}`,
  })),
  fc
    .tuple(anyHandle, fc.constantFrom('c/', 'user/', ''), plainHandle)
    .map(([handle, kind, name]): Account => ({
      platform: 'youtube',
      handle,
      url: `http://youtube.com/${kind}${name}`,
    })),
  channelId.map((id) => usual(['youtube', id])),
  fc
    .tuple(plainHandle, number, fc.constantFrom('profile.php?id=', 'people/Some%20One/', 'p/Some-One-'))
    .map(([handle, id, before]): Account => ({
      platform: 'facebook',
      handle,
      url: `https://www.facebook.com/${before}${id}`,
    })),
  number.map((id) => usual(['facebook', id])),
  plainHandle.map((handle): Account => ({ platform: 'x', handle, url: `https://twitter.com/${handle}` })),
);

/** Changes a text at a random position. */
type Way = (text: string, at: number) => string;

const insert =
  (piece: string): Way =>
  (text, at) =>
    [...text].toSpliced(at, 0, piece).join('');

const percent: Way = (text, at) => {
  const letter = [...text][at % [...text].length] ?? '';
  return /[/?&=%#:]/.test(letter) || !letter.isWellFormed()
    ? text
    : text.replace(letter, [...Buffer.from(letter)].map((byte) => `%${byte.toString(16)}`).join(''));
};

const upper: Way = (text) => text.toUpperCase();

/** The ids of channels keep their case. */
const mayBe = (way: Way, { url }: Account): boolean => way !== upper || !/\/channel\/|@UC/.test(url);

const pathWays: readonly Way[] = [
  (text) => text.replace(/\/*$/, '/'),
  (text) => text.replace('@', '＠'),
  (text) => text.replace('@', '%40'),
  (text) => text.replace('/', '//'),
  (text) => text.normalize('NFD'),
  insert('\u200b'),
  insert('\u2060'),
  percent,
  upper,
];
const ends = ['', '#about', '&utm_source=qr&igshid=1%20', '&s=20#x'];
const beforeHosts = ['www.', 'm.', 'mobile.', ''];
const schemes = ['https://', 'http://', 'HTTPS://', '//', ''];
const around: readonly (readonly [string, string])[] = [
  ['', ''],
  ['  ', ' '],
  ['<', '>'],
  ['\u200e', '\u200e\n'],
  ['"', '",'],
];

/** The link of an account as a user may paste it. */
const pasted = fc
  .record({
    account: accounts,
    ways: fc.array(fc.tuple(fc.constantFrom(...pathWays), fc.nat(30)), { maxLength: 4 }),
    tab: fc.constantFrom('', 'about', 'videos?view=0', 'reels/'),
    end: fc.constantFrom(...ends),
    host: fc.constantFrom(...beforeHosts),
    scheme: fc.constantFrom(...schemes),
    wrapping: fc.constantFrom(...around),
    isTwitter: fc.boolean(),
  })
  .map(({ account, ways, tab, end, host, scheme, wrapping: [before, after], isTwitter }) => {
    const [, given = '', path = ''] = /^https?:\/\/(?:www\.)?([^/]+)(\/.*)$/.exec(account.url) ?? [];
    const domain = account.platform === 'x' && isTwitter ? 'twitter.com' : given;
    const [name = '', query] = path.split('?');
    const allowed = ways.filter(([way]) => mayBe(way, account));
    const changed = allowed.reduce((text, [way, at]) => way(text, 1 + (at % text.length)), name);
    // Invisible characters and such are put into the name, not between its escapes.
    const whole = isIntact(changed) ? changed : name;
    const tabbed = query === undefined && tab !== '' ? `${whole.replace(/\/*$/, '')}/${tab}` : whole;
    const asked = query === undefined ? tabbed : `${tabbed}?${query}`;
    const ended = end.startsWith('&') && !asked.includes('?') ? `${asked}?${end.slice(1)}` : asked + end;
    return { account, url: `${before}${scheme}${host}${domain}${ended}${after}` };
  });

function isIntact(path: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(path) && URL.canParse(`https://a.example${path}`) && canDecode(path);
}

function canDecode(path: string): boolean {
  try {
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}

it('an account is found by its link, however it was pasted', () => {
  fc.assert(
    fc.property(pasted, ({ account, url }) => {
      if (!finds({ url }, account)) throw new Error(`${url} does not find ${JSON.stringify(account)}`);
    }),
    { numRuns: propertyRuns(600) },
  );
});

it('an account is found by its handle, however it was written', () => {
  const ways: readonly Way[] = [
    (text) => `@${text}`,
    (text) => `＠${text}`,
    (text) => ` @${text}\n`,
    (text) => `\u200e${text}\u200f`,
    (text) => text.normalize('NFD'),
    insert('\u200b'),
    upper,
  ];
  const written = fc.tuple(
    accounts,
    fc.array(fc.tuple(fc.constantFrom(...ways), fc.nat(9)), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(written, ([account, some]) => {
      const allowed = some.filter(([way]) => mayBe(way, account));
      const handle = allowed.reduce((text, [way, at]) => way(text, at % text.length), account.handle);
      const { platform } = account;
      if (!finds({ platform, handle }, account)) {
        throw new Error(`${handle} does not find ${JSON.stringify(account)}`);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('an account is not found by another name, nor on another platform', () => {
  const two = fc.tuple(
    plainHandle,
    plainHandle,
    fc.constantFrom(...platforms),
    fc.constantFrom(...platforms),
  );
  fc.assert(
    fc.property(two, ([one, other, platform, otherPlatform]) => {
      const fold = (name: string): string =>
        platform === 'facebook' ? name.toLowerCase().replaceAll('.', '') : name.toLowerCase();
      const account = usual([platform, one]);
      expect(finds({ platform, handle: other }, account)).toBe(fold(one) === fold(other));
      expect(finds({ url: usual([platform, other]).url }, account)).toBe(fold(one) === fold(other));
      expect(finds({ platform: otherPlatform, handle: one }, account)).toBe(platform === otherPlatform);
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe('an account is found by', () => {
  const id = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
  const at = (platform: Platform, handle: string, url: string): Account => ({ platform, handle, url });
  const custom = at('youtube', 'now', 'https://www.youtube.com/c/before');

  it.each<[string, object, Account, boolean]>([
    [
      'the id of its channel, given as a handle',
      { platform: 'youtube', handle: id },
      at('youtube', 'mira', `https://youtube.com/channel/${id}`),
      true,
    ],
    [
      'the id of its channel in another case',
      { url: `youtube.com/channel/${id.toLowerCase()}` },
      at('youtube', 'mira', `https://youtube.com/channel/${id}`),
      false,
    ],
    [
      'its channel, when its handle is the id',
      { url: `youtube.com/channel/${id}` },
      at('youtube', id, `https://www.youtube.com/@${id}`),
      true,
    ],
    ['its old name', { url: 'youtube.com/c/Before' }, custom, true],
    ['its old name without /c/', { url: 'youtube.com/before' }, custom, true],
    ['its handle as an old name', { url: 'youtube.com/c/now' }, custom, true],
    [
      'its old name as a handle, which may be that of another creator',
      { url: 'youtube.com/@before' },
      custom,
      false,
    ],
    [
      'its old name as a user, which may be that of another creator',
      { url: 'youtube.com/user/before' },
      custom,
      false,
    ],
    [
      'its page with title and id',
      { url: 'facebook.com/Some-Page-100012345678901' },
      at('facebook', 'page', 'https://facebook.com/profile.php?id=100012345678901'),
      true,
    ],
    [
      'its id, when its link has the title too',
      { url: 'facebook.com/100012345678901' },
      at('facebook', 'page', 'https://facebook.com/Some-Page-100012345678901'),
      true,
    ],
    [
      'a link to another platform in its record',
      { url: 'https://x.com/mira' },
      at('tiktok', 'm', 'https://x.com/mira'),
      false,
    ],
    [
      'its handle, when its link leads elsewhere',
      { platform: 'tiktok', handle: 'm' },
      at('tiktok', 'm', 'https://x.com/mira'),
      true,
    ],
    [
      'its handle, when its link is one to a post',
      { platform: 'x', handle: 'm' },
      at('x', 'm', 'https://x.com/m/status/1'),
      true,
    ],
  ])('%s: %j %j %j', (_, given, account, isFound) => expect(finds(given, account)).toBe(isFound));
});

describe('input that names no account', () => {
  it.each<[unknown, string[]]>([
    [{ url: 'https://youtu.be/dQw4w9WgXcQ' }, ['url']],
    [{ url: `https://x.com/${'a'.repeat(2_000)}` }, ['url']],
    [{ url: 7 }, ['url']],
    [{}, ['url']],
    [{ platform: 'x' }, ['url']],
    [{ platform: 'twitter', handle: 'mira' }, ['platform']],
    [{ platform: 'x', handle: 'a\0' }, ['handle']],
    [{ platform: 'x', handle: ' @ ' }, ['handle']],
    [{ platform: 'x', handle: 'https://x.com/mira' }, ['handle']],
    [{ platform: 'youtube', handle: 'www.instagram.com/mira' }, ['handle']],
    [null, ['payload']],
    ['https://x.com/mira', ['payload']],
  ])('%j is explained for %j', (given, fields) => {
    const read = readLookup(given);
    if (!('details' in read)) throw new Error('an account was found in it');
    expect(Object.keys(read.details)).toEqual(fields);
    for (const sentences of Object.values(read.details)) expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
  });

  it('a handle with a slash in it may be one', () => {
    expect(readLookup({ platform: 'youtube', handle: 'a/b' })).toEqual({ keys: ['youtube/@a/b'] });
  });
});
