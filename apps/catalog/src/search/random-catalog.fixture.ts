import {
  type Platform,
  type PlatformAccountRecord,
  platforms,
  type SearchRequest,
  searchSorts,
} from '#contracts';
import { type NamedRecord } from '../creators/creator-records.fixture.js';
import { withoutAt } from '../lookup/account-key.js';
import { keysOfAccount } from '../lookup/creator-account.js';
import fc from 'fast-check';

/** Words that share substrings, in many scripts, and characters that patterns, quoting and folding have to handle. */
// prettier-ignore
export const nameWords = [
  'Zoë', 'zoe', 'ZO', 'Łódź', 'lodz', 'Ærø', 'aero', 'Þór', 'Straße', 'STRASSE', 'İpek', 'ıpek', 'ipek', 'ΣΊΣΥΦΟΣ', 'σισυφος',
  'Ёж', 'еж', 'Київ', 'मीरा', 'मरा', 'दीपक', 'दीपिका', 'นก', 'นิก', 'Андрей', 'Андреи', 'O’Brien', "O'Brien", 'Jean‑Luc', 'علی', 'علي', 'سَلْمى', 'سلمى', '하늘', '늘봄', '김', '기', '김민수', 'さくら', 'ガール', 'カール', 'バナ', 'ハナ', '桜', '小桜', '𝓜𝓲𝓻𝓪', 'Mira',
  'Ｍｉｒａ', 'ﬁt', 'fit', '№5', '½', '100%', '50%_off', 'a_b', 'axb', 'a\\b', '\\', "O'Neil", '"quoted"', "''", 'C++', '(x)', '[y]',
  '.*', '^$', '$1', '🎮', '👩🏽‍🍳', 'a', 'ab', 'ba', 'x@y', '%', '_', 'NULL', 'é', 'e\u0301',
] as const;
const handleWords = 'mira @mira zoe.ab a_b axb lodz_ ba.ba x Ünal 하늘 5'.split(' ');
/** Links that say another name than the handle, each of them at several creators. */
const channels = [
  'https://www.youtube.com/channel/UCX6OQ3DkcsbYNE6H8uQQuVA',
  'https://www.youtube.com/channel/UCX6OQ3DkcsbYNE6H8uQQuVa',
  'http://youtube.com/c/Mira',
] as const;
/** Links that a keyword may have, and what they name. */
export const linkedAccounts: Readonly<
  Record<string, { readonly platform: Platform; readonly handle: string }>
> = {
  'https://www.youtube.com/@mira': { platform: 'youtube', handle: 'mira' },
  'youtube.com/@%ED%95%98%EB%8A%98': { platform: 'youtube', handle: '하늘' },
  'https://instagram.com/zoe.ab/?igsh=1': { platform: 'instagram', handle: 'zoe.ab' },
  'https://mobile.twitter.com/A_B': { platform: 'x', handle: 'a_b' },
  'https://www.tiktok.com/@lodz_': { platform: 'tiktok', handle: 'lodz_' },
  'https://www.facebook.com/nobody.here': { platform: 'facebook', handle: 'nobody.here' },
};

const countries = ['Türkiye', 'turkiye', "Côte d'Ivoire", '대한민국', 'Ελλάς'] as const;
const niches =
  'Food & Drink, food-drink, music, Music!, art, art-design, Музыка, 뷰티, ゲーム, ケーム, संगीत, 🎮'.split(
    ', ',
  );
const languages = ['English', 'Français', 'ENGLISH', 'العربية', '日本語', 'a,b', '{"x"}'] as const;
const slugs = ['a', 'b', 'a-b', 'ab', 'a0', '0', '9-z', 'z'] as const;

const times = Array.from({ length: 5 }, (_, day) => `2024-03-0${day + 1}T10:00:00Z`);
const followers = fc.oneof(fc.nat(4), fc.constantFrom(1_000, 1_001, 5_000_000_000, 2 ** 50), fc.nat(10_000));

/** YouTube takes all of them. */
function isHandle(platform: Platform, word: string): boolean {
  return platform === 'youtube' || (platform === 'x' ? /^@?\w+$/ : /^@?[\w.]+$/).test(word);
}

const accounts = fc.uniqueArray(fc.constantFrom(...platforms), { maxLength: 4 }).chain((chosen) =>
  fc.tuple(
    ...chosen.map((platform) =>
      fc.record({
        platform: fc.constant(platform),
        handle: fc.constantFrom(...handleWords.filter((word) => isHandle(platform, word))),
        url:
          platform === 'youtube'
            ? fc.option(fc.constantFrom(...channels), { freq: 3, nil: undefined })
            : fc.constant(undefined),
        followers,
        updated_at: fc.oneof(
          fc.constantFrom(...times),
          fc.constantFrom('2024-03-02T12:00:00+02:00', '2024-03-02T10:00:00.001Z', '2000-01-01T00:00:00Z'),
        ),
      }),
    ),
  ),
);

type Account = Omit<PlatformAccountRecord, 'url'> & { readonly url?: string | undefined };

const creator = fc.record({
  name: fc
    .array(fc.constantFrom(...nameWords), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(' ')),
  country: fc.constantFrom(...countries),
  languages: fc.uniqueArray(fc.constantFrom(...languages), { maxLength: 3 }),
  categories: fc.uniqueArray(fc.constantFrom(...niches), { maxLength: 3 }),
  published: fc.option(
    fc.nat(5).map((number) => number > 0),
    { nil: undefined },
  ),
  platforms: accounts,
});

/** Creators whose slugs distinguish byte order from every other order, none with an account of another one or of `others`. */
export function randomCatalog(
  size: number,
  seed: number,
  others: readonly NamedRecord[] = [],
): NamedRecord[] {
  const taken = new Set(others.flatMap(({ platforms: own }) => own.flatMap(keysOf)));
  return fc.sample(creator, { numRuns: size, seed }).map(({ published, ...made }, index) => {
    const slug = `${slugs[index % slugs.length]}-${index.toString(36)}`;
    const own = made.platforms.map((account) => withoutOwner(account, taken, `_${index}_${seed}`));
    return { slug, ...made, platforms: own, ...(published === undefined ? {} : { published }) };
  });
}

/** The account, as nobody has it: with something added to the handle and without the link, where these are taken. */
function withoutOwner(account: Account, taken: Set<string>, suffix: string): Account {
  const handle = keysOf({ ...account, url: undefined }).some((key) => taken.has(key))
    ? account.handle + suffix
    : account.handle;
  const [named, plain] = [
    { ...account, handle },
    { ...account, handle, url: undefined },
  ];
  const free = keysOf(named).some((key) => taken.has(key)) ? plain : named;
  for (const key of keysOf(free)) taken.add(key);
  return free;
}

function keysOf({ platform, handle, url }: Account): readonly string[] {
  return keysOfAccount({ platform, handle: withoutAt(handle), url: url ?? '' });
}

/** A piece of a word, sometimes in another spelling that has to match too. */
const piece = fc
  .tuple(fc.constantFrom(...nameWords, ...handleWords), fc.nat(), fc.nat(), fc.nat(5))
  .map(([word, from, length, way]) => {
    const letters = [...word];
    const start = from % letters.length;
    const text = letters.slice(start, start + 1 + (length % (letters.length - start))).join('');
    return (
      [text, text.toUpperCase(), text.toLowerCase(), `@${text}`, text.normalize('NFD'), `"@${text}",`][way] ??
      text
    );
  });

const link = fc.constantFrom(...Object.keys(linkedAccounts), '"https://www.youtube.com/@mira",');

const keyword = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 1 }) },
    { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.tuple(link) },
    { weight: 1, arbitrary: fc.tuple(link, fc.oneof(piece, link)) },
  )
  .map((pieces) => pieces.join('  '))
  // The gateway refuses a keyword without anything to search for.
  .filter((q) => !/^[@"',\s\p{M}]*$/u.test(q.normalize('NFKD')));

/** Used in a third of the searches: with more filters at once almost nothing is found. */
function atTimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Every combination of the filters. */
export const searchArbitrary: fc.Arbitrary<SearchRequest> = fc
  .record({
    q: atTimes(keyword),
    country: atTimes(
      fc.constantFrom(...countries, 'TÜRKIYE', 'TR', 'tur', 'Turkey', 'Ivory Coast', 'CI', 'nowhere'),
    ),
    category: atTimes(fc.constantFrom(...niches, 'FOOD drink', 'food and drink', 'музыка', 'none')),
    language: atTimes(fc.constantFrom(...languages, 'francais', 'english', 'en', 'en-US', 'none')),
    platform: atTimes(fc.constantFrom(...platforms)),
    min_followers: atTimes(fc.oneof(fc.nat(5), followers)),
    max_followers: atTimes(fc.oneof(followers, fc.constantFrom(10_000, 2 ** 50, Number.MAX_SAFE_INTEGER))),
    sort: atTimes(fc.constantFrom(...searchSorts)),
    limit: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ limit, sort, ...filters }): SearchRequest => {
    const used = Object.entries(filters).filter(([, value]) => value !== undefined);
    // Only the followers on one platform are an order.
    const order = sort === 'followers' && filters.platform === undefined ? 'reach' : sort;
    return { ...Object.fromEntries(used), ...(order && { sort: order }), limit };
  });
