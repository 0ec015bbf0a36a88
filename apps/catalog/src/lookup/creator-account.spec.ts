import { accountUrls, type Platform, platforms } from '#contracts';
import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { keysOfAccount } from './creator-account.js';
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
const plainHandle = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters, '.'), minLength: 1, maxLength: 12 }),
    fc.constantFrom(...letters),
  )
  .map(([start, end]) => `h${start}${end}`);

const usual = ([platform, handle]: [Platform, string]): Account => ({
  platform,
  handle,
  url: accountUrls[platform].join(encodeURIComponent(handle)),
});

it('an account is found by its link and by its handle, however they were written', () => {
  const ways: readonly ((text: string) => string)[] = [
    (text) => `@${text}`,
    (text) => `＠${text}`,
    (text) => ` @${text}\n`,
    (text) => `\u200e${text}\u200f`,
    (text) => text.normalize('NFD'),
    (text) => `${text.slice(0, 2)}\u200b${text.slice(2)}`,
    (text) => text.toUpperCase(),
  ];
  // YouTube handles can be in any script, and some are older than its rules.
  const handles = fc.oneof(plainHandle, fc.constantFrom("-&',()", 'éÉñ', 'бД', '한桜', '😀x', 'e\u0301'));
  const written = fc.tuple(
    fc.constantFrom(...platforms),
    handles,
    fc.array(fc.constantFrom(...ways), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(written, ([platform, handle, some]) => {
      fc.pre(platform === 'youtube' || /^[\w.]+$/.test(handle));
      const account = usual([platform, handle]);
      const given = some.reduce((text, way) => way(text), handle);
      expect([given, finds({ platform, handle: given }, account)]).toEqual([given, true]);
      expect(finds({ url: ` ${account.url.replace('https://www.', 'm.')}/?a=b` }, account)).toBe(true);
    }),
    { numRuns: propertyRuns(300) },
  );
});

describe('an account is found by', () => {
  const id = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
  const at = (platform: Platform, handle: string, url: string): Account => ({ platform, handle, url });
  const custom = at('youtube', 'now', 'https://www.youtube.com/c/before');

  const channel = `https://youtube.com/channel/${id}`;
  const pageId = '100012345678901';
  const page = (url: string) => at('facebook', 'page', url);

  it.each<[string, object, Account, boolean]>([
    ['an id given as a handle', { platform: 'youtube', handle: id }, at('youtube', 'mira', channel), true],
    [
      'its id in another case',
      { url: channel.replace(id, id.toLowerCase()) },
      at('youtube', 'mira', channel),
      false,
    ],
    ['its old name', { url: 'youtube.com/c/Before' }, custom, true],
    ['its old name without /c/', { url: 'youtube.com/before' }, custom, true],
    ['its handle as an old name', { url: 'youtube.com/c/now' }, custom, true],
    ['its old name as a handle, another creator', { url: 'youtube.com/@before' }, custom, false],
    ['its old name as a user, another creator', { url: 'youtube.com/user/before' }, custom, false],
    ['its page', { url: `facebook.com/Page-${pageId}` }, page(`https://facebook.com/${pageId}`), true],
    ['its id', { url: `facebook.com/${pageId}` }, page(`https://facebook.com/Page-${pageId}`), true],
    [
      'a link to another platform',
      { url: 'https://x.com/mira' },
      at('tiktok', 'm', 'https://x.com/mira'),
      false,
    ],
    [
      'its handle, not its link',
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
    [null, ['url']],
    ['https://x.com/mira', ['url']],
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
