import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { isPlatformLink, readProfileLink } from './profile-link.js';

const channel = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
const mira = 'youtube/@mira.solenne';

/** The keys that a link names exactly, then its candidates with a `?` before them. */
function read(url: string): string {
  const link = readProfileLink(url);
  if (typeof link === 'string') return link;
  return [...link.exact, ...(link.candidates ?? []).map((key) => `?${key}`)].join(' ');
}

/** Profiles of each platform, in forms of their links that are not generated below. */
const profiles: Readonly<Record<string, readonly string[]>> = {
  [mira]: [
    'https://music.youtube.com/@mira.solenne',
    'https://www.youtube.com/@mira.solenne/videos',
    'ｈｔｔｐｓ：//ｙｏｕｔｕｂｅ．ｃｏｍ/＠mira.solenne',
    '\u200bhttps://www.youtube.com/@mira\u00ad.sol\u2060enne\u200e\ufeff',
    'https://www.youtube.com/@mira.solenne%E2%80%8B',
    'https://www.youtube.com/@mira.\r\nsolenne',
    'https://youtube.com./@mira.solenne',
    'https://www.youtube.com:443/@mira.solenne',
    'https:\\\\www.youtube.com\\@mira.solenne',
    '"https://www.youtube.com/@mira.solenne"',
    '(https://www.youtube.com/@mira.solenne).',
    'https://www.youtube.com/@mira.solenne.',
    'https://www.youtube.com/c/@mira.solenne',
    'youtu.be/@mira.solenne',
  ],
  [`youtube/id/${channel}`]: [`https://www.youtube.com/channel/${channel}`],
  'youtube/c/mirasolenne ?youtube/@mirasolenne': ['https://www.youtube.com/c/MiraSolenne'],
  'youtube/user/mirasolenne ?youtube/@mirasolenne': [
    'https://www.youtube.com/user/MiraSolenne?feature=watch',
  ],
  'youtube/c/mirasolenne ?youtube/user/mirasolenne ?youtube/@mirasolenne': [
    'https://www.youtube.com/MiraSolenne',
  ],
  'youtube/@σίσυφοσ': [
    'https://www.youtube.com/@ΣΊΣΥΦΟΣ',
    'youtube.com/@%CE%A3%CE%AF%CF%83%CF%85%CF%86%CE%BF%CF%82',
  ],
  'youtube/@josé': ['https://www.youtube.com/@JOSÉ', 'https://www.youtube.com/@jose\u0301'],
  'instagram/@mira.solenne_': [
    'https://m.instagram.com/mira.solenne_/reels/',
    'https://www.instagram.com/_u/mira.solenne_/',
    'instagr.am/mira.solenne_',
  ],
  'tiktok/@mira.solenne': ['tiktok.com/@Mira.Solenne?lang=en&is_from_webapp=1'],
  'facebook/@mirasolenne': [
    'https://www.facebook.com/mira.solenne',
    'https://de-de.facebook.com/mirasolenne',
    'https://www.facebook.com/pg/mirasolenne/posts',
    'https://fb.me/mirasolenne',
  ],
  'facebook/id/100012345678901': [
    'm.facebook.com/profile.php?id=100012345678901&sk=about',
    'https://www.facebook.com/pages/Mira-Solenne/100012345678901?fref=ts',
  ],
  'facebook/@mira-solenne-100012345678901 facebook/id/100012345678901': [
    'https://www.facebook.com/Mira-Solenne-100012345678901/',
  ],
  'facebook/@mira-2024': ['https://www.facebook.com/mira-2024'],
  'x/@mirasolenne': [
    'https://twitter.com/MiraSolenne?s=20&t=abc',
    'https://x.com/mirasolenne/status',
    'https://twitter.com/#!/mirasolenne',
    'https://twitter.com/intent/user?screen_name=mirasolenne',
  ],
  'x/id/44196397': ['https://x.com/i/user/44196397', 'https://twitter.com/intent/user?user_id=44196397'],
};

describe.each(Object.entries(profiles))('%s', (keys, forms) => {
  it.each(forms)('is the meaning of %j', (url) => expect(read(url)).toBe(keys));
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    'https://', 'www.', 'youtube.com', 'x.com', 'facebook.com', '/', '//', '@', '%', '%2F', '?', '#', '#!/', ':', '..', '\\', '<', '"',
    'profile.php', '?id=', 'channel', 'p', 'status', '/1', '\u200b', '＠', 'é', '\ud800', ' ', '😀', '[', ']', 'user:pass@', ':80',
  ); // prettier-ignore

  it('is a profile with names, or has a sentence about what it is', () => {
    const text = fc.oneof(
      fc.array(pieces).map((some) => some.join('')),
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(text, (url) => {
        const link = readProfileLink(url);
        if (typeof link === 'string') return void expect(link).toMatch(/^url \S+ \S+/);
        for (const key of [...link.exact, ...(link.candidates ?? [])]) {
          expect(key.startsWith(`${link.platform}/`)).toBe(true);
          expect(key).not.toMatch(/\/@?$/);
        }
        expect(link.exact.length).toBeGreaterThan(0);
        expect(isPlatformLink(url)).toBe(true);
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  it.each([
    ['/', 100_000],
    ['%2F', 30_000],
    ['#!/', 30_000],
    ['<"(', 30_000],
    ['\ufdfa', 10_000],
    ['\u0345\u0301\u0327', 30_000],
    ['?a=b&', 20_000],
  ])('is read in time that grows with its length, made of %j', (piece, count) => {
    const startedAt = performance.now();
    const facebook = 'https://www.facebook.com/';
    for (const before of ['', facebook, `${facebook}profile.php?id=`, 'x.com/', 'https://', '<']) {
      readProfileLink(before + piece.repeat(count));
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});

const id = '100012345678901';

interface Profile {
  readonly hosts: readonly string[];
  readonly path: string;
  readonly key: string;
  /** Whether letters of the other case are other names. */
  readonly isExact?: boolean;
}

const youtube = ['youtube.com'];
const facebook = ['facebook.com', 'fb.com'];
const x = ['x.com', 'twitter.com'];

/** The ways in which the five platforms write the address of a profile. */
const addresses: readonly Profile[] = [
  { hosts: youtube, path: '/@mira.solenne', key: 'youtube/@mira.solenne' },
  { hosts: youtube, path: `/channel/${channel}`, key: `youtube/id/${channel}`, isExact: true },
  { hosts: youtube, path: '/c/mirasolenne', key: 'youtube/c/mirasolenne' },
  { hosts: youtube, path: '/user/mirasolenne', key: 'youtube/user/mirasolenne' },
  { hosts: youtube, path: '/mirasolenne', key: 'youtube/c/mirasolenne' },
  { hosts: ['instagram.com'], path: '/mira.solenne_', key: 'instagram/@mira.solenne_' },
  { hosts: ['instagram.com'], path: '/@mira.solenne_', key: 'instagram/@mira.solenne_' },
  { hosts: ['tiktok.com'], path: '/@mira.solenne', key: 'tiktok/@mira.solenne' },
  { hosts: ['tiktok.com'], path: '/mira.solenne', key: 'tiktok/@mira.solenne' },
  { hosts: facebook, path: '/mirasolenne', key: 'facebook/@mirasolenne' },
  { hosts: facebook, path: '/@mira.solenne', key: 'facebook/@mirasolenne' },
  { hosts: facebook, path: `/profile.php?id=${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/people/Mira-Solenne/${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/p/Mira-Solenne-${id}`, key: `facebook/id/${id}` },
  { hosts: x, path: '/mirasolenne', key: 'x/@mirasolenne' },
  { hosts: x, path: '/@mirasolenne', key: 'x/@mirasolenne' },
];

const schemes = ['https://', 'http://', '//', ''];
const prefixes = ['', 'www.', 'm.', 'mobile.'];
const ends = ['', '/', '//', '?utm_source=qr&hl=de', '/?si=a%2Fb', '#top', '/?a=b#top'];
/** After a query a link continues with `&`. */
const endsOfQuery = ['', '&sk=about', '&mibextid=ZbWKwL#top', '#top'];

const percentEncoded = (text: string): string =>
  text.replace(/[\w@.-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** How links are changed before they reach us. */
const ways: Readonly<Record<string, (link: string) => string>> = {
  plain: (link) => link,
  'with space around': (link) => ` \t${link}\r\n `,
  'in angle brackets': (link) => `<${link}>`,
  'encoded as a whole': encodeURIComponent,
};

function* linksTo({ hosts, path, isExact = false }: Profile): Generator<string> {
  const paths = [path, path.replace('@', '%40'), encodedNames(path)];
  const cases = isExact ? paths : [...paths, path.toUpperCase()];
  for (const host of [...hosts, ...hosts.map((name) => name.toUpperCase())]) {
    for (const form of new Set(cases)) {
      for (const end of path.includes('?') ? endsOfQuery : ends) {
        for (const prefix of prefixes) yield `${prefix}${host}${form}${end}`;
      }
    }
  }
}

/** The last segment with every character encoded. */
function encodedNames(path: string): string {
  return path.replace(/[^/=]+$/, percentEncoded);
}

describe.each(addresses)('$key at $hosts$path', (profile) => {
  it.each(Object.entries(ways))('is understood in every form, %s', (_what, way) => {
    const links = [...linksTo(profile)].flatMap((link) => schemes.map((scheme) => way(scheme + link)));
    const misread = links.flatMap((link) => {
      const read = readProfileLink(link);
      const key = typeof read === 'string' ? read : read.exact[0];
      return key === profile.key ? [] : [`${link}: ${key}`];
    });
    expect(misread).toEqual([]);
    expect(links.length).toBeGreaterThan(200);
  });
});
