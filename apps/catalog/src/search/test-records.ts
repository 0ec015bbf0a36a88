import { type CreatorRecord, miraSolenne, type Platform } from '#contracts';

type Followers = Readonly<Partial<Record<Platform, number>>>;
type Person = readonly [
  name: string,
  country: string,
  languages: readonly string[],
  categories: readonly string[],
  followers: Followers,
  lacks?: 'verified' | 'website',
];

/** Newest first. A name has 3 to 7 letters: see `handleOf`. */
const people: readonly Person[] = [
  ['Luna', 'Brazil', ['Portuguese'], ['fitness'], { youtube: 640_000, instagram: 812_000, tiktok: 24_000 }],
  ['Bruno', 'Brazil', ['Portuguese', 'English'], ['fitness', 'food'], { instagram: 215_000 }],
  ['Carla', 'Brazil', ['Portuguese'], ['fitness', 'travel'], { tiktok: 1_930_000, x: 48_000 }, 'verified'],
  ['Diego', 'Mexico', ['Spanish'], ['comedy'], { youtube: 88_000, facebook: 310_000 }],
  ['Emma', 'United Kingdom', ['English'], ['beauty'], { youtube: 1_120_000, instagram: 954_000 }],
  ['Farid', 'Morocco', ['Arabic', 'French'], ['travel'], { instagram: 61_000, facebook: 9_400 }, 'website'],
  ['Giulia', 'Italy', ['Italian'], ['food'], { youtube: 402_000, instagram: 377_000, facebook: 120_000 }],
  ['Hana', 'Japan', ['Japanese'], ['art'], { youtube: 33_000, x: 275_000 }],
  ['Ines', 'Portugal', ['Portuguese'], ['fashion'], { instagram: 18_500 }, 'verified'],
  ['Jonas', 'Germany', ['German', 'English'], ['technology'], { youtube: 289_000, x: 51_000 }],
  ['Kofi', 'Ghana', ['English'], ['music'], { youtube: 73_000, tiktok: 520_000, facebook: 44_000 }],
  ['Leila', 'France', ['French'], ['beauty'], { instagram: 143_000, tiktok: 388_000 }],
  ['Noah', 'United States', ['English'], ['gaming'], { youtube: 5_600_000, x: 702_000 }],
  [
    'Priya',
    'India',
    ['Hindi', 'English'],
    ['education'],
    { youtube: 2_300_000, instagram: 96_000 },
    'website',
  ],
  ['Sofia', 'Spain', ['Spanish'], ['travel'], { instagram: 7_200, facebook: 1_900, x: 310 }],
];

/** The answer to whose slug or keyword warns of a low balance. */
const lowBalance: CreatorRecord = {
  ...miraSolenne,
  slug: 'warning-low-balance',
  name: 'Low Balance Example',
  tagline: 'Fictional: warns of a low balance',
  platforms: [accountOf('youtube', 'warning-low-balance', 1_000, new Date('2025-05-01'))],
};

/** The creators that test keys see, all of them fictional, in the order of a search. */
export const testRecords: readonly CreatorRecord[] = [miraSolenne, ...people.map(recordOf), lowBalance];

function recordOf(person: Person, index: number): CreatorRecord {
  const [name, country, languages, categories, followers, lacks] = person;
  const id = name.toLowerCase();
  const slug = `example-${id}`;
  const updatedAt = new Date(Date.UTC(2025, 4, 31 - index, 9));
  return {
    slug,
    name: `${name} Example`,
    tagline: 'Fictional, for test keys',
    country,
    languages,
    verified: lacks !== 'verified',
    ...(lacks !== 'website' && { website: `https://${id}.example.com` }),
    categories,
    platforms: Object.entries(followers).map(([platform, count]) =>
      accountOf(platform as Platform, `${id}-test`, count, updatedAt),
    ),
  };
}

function accountOf(platform: Platform, id: string, followers: number, updatedAt: Date) {
  return { platform, handle: handleOf(platform, id), followers, updated_at: updatedAt.toISOString() };
}

/**
 * No person's handle: Instagram and TikTok allow no two dots in a row, X none of more than 15 characters, YouTube and Facebook's have
 * the words.
 */
function handleOf(platform: Platform, id: string): string {
  if (platform === 'instagram' || platform === 'tiktok') return `example..${id.replaceAll('-', '.')}`;
  return platform === 'x' ? `example_${id.replaceAll('-', '_')}` : `example-${id}`;
}
