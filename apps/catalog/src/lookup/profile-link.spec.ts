import fc from 'fast-check';
import { isPlatformLink, readProfileLink } from './profile-link.js';

const channel = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
const mira = 'youtube/@mira.solenne';

/** What a link names; what it may mean besides behind a `?`. */
function read(url: string): string {
  const link = readProfileLink(url);
  if (typeof link === 'string') return link;
  return [...link.exact, ...(link.candidates ?? []).map((key) => `?${key}`)].join(' ');
}

/** A profile of each platform, in the forms in which people paste its link. */
const profiles: Readonly<Record<string, readonly string[]>> = {
  [mira]: [
    'https://www.youtube.com/@mira.solenne',
    'http://youtube.com/@mira.solenne',
    'www.youtube.com/@mira.solenne',
    'youtube.com/@mira.solenne',
    '//youtube.com/@mira.solenne',
    'HTTPS://WWW.YOUTUBE.COM/@MIRA.SOLENNE',
    'https://m.youtube.com/@mira.solenne',
    'https://mobile.youtube.com/@mira.solenne',
    'https://music.youtube.com/@mira.solenne',
    'https://www.youtube.com/@mira.solenne/',
    'https://www.youtube.com//@mira.solenne//',
    'https://www.youtube.com/@mira.solenne/videos',
    'https://www.youtube.com/@mira.solenne/shorts',
    'https://www.youtube.com/@mira.solenne/about?tab=1',
    'https://www.youtube.com/@mira.solenne/community?lb=abc#x',
    'https://www.youtube.com/@mira.solenne?si=Xy_1&sub_confirmation=1',
    'https://www.youtube.com/@mira.solenne#comments',
    'https://www.youtube.com/%40mira.solenne',
    'https://www.youtube.com/%40Mira%2Esolenne',
    'https%3A%2F%2Fwww.youtube.com%2F%40mira.solenne',
    'https://www.youtube.com/＠mira.solenne',
    'ｈｔｔｐｓ：//ｙｏｕｔｕｂｅ．ｃｏｍ/＠mira.solenne',
    ' \t https://www.youtube.com/@mira.solenne \r\n',
    '\u200bhttps://www.youtube.com/@mira\u00ad.sol\u2060enne\u200e\ufeff',
    'https://www.youtube.com/@mira.solenne%E2%80%8B',
    'https://www.youtube.com/@mira.\r\nsolenne',
    'https://youtube.com./@mira.solenne',
    'https://www.youtube.com:443/@mira.solenne',
    'https:\\\\www.youtube.com\\@mira.solenne',
    '<https://www.youtube.com/@mira.solenne>',
    '"https://www.youtube.com/@mira.solenne"',
    '(https://www.youtube.com/@mira.solenne).',
    'https://www.youtube.com/@mira.solenne.',
    'https://www.youtube.com/@mira.solenne,',
    'https://www.youtube.com/c/@mira.solenne',
    'https://www.youtube.com/channel/@mira.solenne',
    'youtu.be/@mira.solenne',
  ],
  [`youtube/id/${channel}`]: [
    `https://www.youtube.com/channel/${channel}`,
    `m.youtube.com/channel/${channel}/featured?view_as=subscriber`,
    `https://www.youtube.com/Channel/${channel}/`,
    `https://music.youtube.com/channel/${channel}`,
  ],
  'youtube/c/mirasolenne ?youtube/@mirasolenne': [
    'https://www.youtube.com/c/MiraSolenne',
    'youtube.com/C/mirasolenne/videos',
  ],
  'youtube/user/mirasolenne ?youtube/@mirasolenne': [
    'https://www.youtube.com/user/MiraSolenne?feature=watch',
  ],
  'youtube/c/mirasolenne ?youtube/user/mirasolenne ?youtube/@mirasolenne': [
    'https://www.youtube.com/MiraSolenne',
    'youtube.com/mirasolenne/videos',
  ],
  'youtube/@σίσυφοσ': [
    'https://www.youtube.com/@ΣΊΣΥΦΟΣ',
    'youtube.com/@%CE%A3%CE%AF%CF%83%CF%85%CF%86%CE%BF%CF%82',
  ],
  'youtube/@josé': ['https://www.youtube.com/@JOSÉ', 'https://www.youtube.com/@jose\u0301'],
  'youtube/@jose': ['https://www.youtube.com/@Jose'],
  'instagram/@mira.solenne_': [
    'https://www.instagram.com/mira.solenne_/',
    'http://instagram.com/Mira.Solenne_',
    'instagram.com/mira.solenne_?igshid=YmMyMTA2M2Y=&utm_source=qr',
    'https://m.instagram.com/mira.solenne_/reels/',
    'https://www.instagram.com/mira.solenne_/tagged/?hl=de',
    'https://www.instagram.com/mira.solenne_/reel',
    'https://www.instagram.com/@mira.solenne_',
    'https://www.instagram.com/_u/mira.solenne_/',
    'instagr.am/mira.solenne_',
    'https://www.instagram.com/mira.solenne_/#',
  ],
  'tiktok/@mira.solenne': [
    'https://www.tiktok.com/@mira.solenne',
    'tiktok.com/@Mira.Solenne?lang=en&is_from_webapp=1',
    'https://m.tiktok.com/@mira.solenne/live',
    'tiktok.com/mira.solenne',
    'https://www.tiktok.com/@mira.solenne?_t=8abc&_r=1',
  ],
  'facebook/@mirasolenne': [
    'https://www.facebook.com/mira.solenne',
    'https://www.facebook.com/MiraSolenne/',
    'facebook.com/mirasolenne/about/?ref=page_internal',
    'https://m.facebook.com/mirasolenne/photos',
    'https://mbasic.facebook.com/mirasolenne',
    'https://de-de.facebook.com/mirasolenne',
    'https://web.facebook.com/mirasolenne?_rdc=1&_rdr',
    'https://www.facebook.com/pg/mirasolenne/posts',
    'https://www.facebook.com/@mirasolenne',
    'fb.com/mirasolenne',
    'https://fb.me/mirasolenne',
    'https://www.facebook.com/mirasolenne/videos/',
  ],
  'facebook/id/100012345678901': [
    'https://www.facebook.com/profile.php?id=100012345678901',
    'm.facebook.com/profile.php?id=100012345678901&sk=about',
    'https://www.facebook.com/people/Mira-Solenne/100012345678901/',
    'https://www.facebook.com/people/_/100012345678901',
    'https://www.facebook.com/pages/Mira-Solenne/100012345678901?fref=ts',
    'https://www.facebook.com/p/Mira-Solenne-100012345678901/',
    'https://www.facebook.com/100012345678901',
  ],
  'facebook/@mira-solenne-100012345678901 facebook/id/100012345678901': [
    'https://www.facebook.com/Mira-Solenne-100012345678901/',
  ],
  'facebook/@mira-2024': ['https://www.facebook.com/mira-2024'],
  'x/@mirasolenne': [
    'https://x.com/mirasolenne',
    'https://twitter.com/MiraSolenne?s=20&t=abc',
    'http://www.twitter.com/mirasolenne/',
    'mobile.twitter.com/mirasolenne/with_replies',
    'https://x.com/mirasolenne/status',
    'x.com/@mirasolenne',
    'https://twitter.com/#!/mirasolenne',
    'https://twitter.com/intent/user?screen_name=mirasolenne',
    'https://x.com/intent/follow?original_referer=a&screen_name=%40mirasolenne',
    'https://x.com/mirasolenne/media',
  ],
  'x/id/44196397': ['https://x.com/i/user/44196397', 'https://twitter.com/intent/user?user_id=44196397'],
};

describe.each(Object.entries(profiles))('%s', (keys, forms) => {
  it.each(forms)('is what %j says', (url) => expect(read(url)).toBe(keys));
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
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['/', 100_000],
    ['@', 100_000],
    ['%2F', 30_000],
    ['a.', 50_000],
    ['-1', 50_000],
    ['#!/', 30_000],
    ['<"(', 30_000],
    ['.,;', 30_000],
    ['\u200b', 100_000],
    ['\ufdfa', 10_000],
    ['\u0345\u0301\u0327', 30_000],
    ['ß', 100_000],
    ['?a=b&', 20_000],
  ])('is read in time that grows with its length, made of %j', (piece, count) => {
    const startedAt = performance.now();
    for (const before of [
      '',
      'https://www.facebook.com/',
      'x.com/',
      'https://www.youtube.com/channel/',
      'https://www.facebook.com/profile.php?id=',
      'https://',
      '<',
    ]) {
      readProfileLink(before + piece.repeat(count));
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
