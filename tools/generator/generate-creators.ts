import { type CreatorRecord, type Platform, type PlatformAccountRecord } from '#contracts';
import { countries, type Country } from './countries.js';
import { type CreatorName, makeName } from './names.js';
import { niches, type Niche } from './niches.js';
import { Random } from './random.js';

export type GeneratedCreator = CreatorRecord & { readonly slug: string };

export interface GenerateOptions {
  readonly count: number;
  /** Any safe integer. The same seed gives the same creators; a larger count only adds to them. */
  readonly seed: number;
}

/** No `updated_at` is later. */
const latestMs = Date.parse('2025-06-01T00:00:00Z');
const dayMs = 86_400_000;
const followersMin = 5_000;
const followersMax = 250_000_000;
/** Exponent of the Pareto distribution: about 3 creators in 100 have over a million followers. */
const followersTail = 0.65;

/** How often a creator is on each platform, and how long a handle may be there. */
const platforms: readonly { name: Platform; weight: number; handleLength: number }[] = [
  { name: 'youtube', weight: 30, handleLength: 30 },
  { name: 'instagram', weight: 38, handleLength: 30 },
  { name: 'tiktok', weight: 24, handleLength: 24 },
  { name: 'facebook', weight: 10, handleLength: 50 },
  { name: 'x', weight: 12, handleLength: 15 },
];
const platformCountWeights = [45, 28, 15, 8, 4];

/**
 * Fictional creators in the import format, one at a time and in constant memory. Slugs and, within a platform, handles
 * are unique because each ends in the creator's index.
 */
export function* generateCreators({ count, seed }: GenerateOptions): Generator<GeneratedCreator> {
  for (let index = 0; index < count; index += 1) {
    yield makeCreator(new Random(seed, index), index);
  }
}

function makeCreator(random: Random, index: number): GeneratedCreator {
  const country = pickWeighted(random, countries);
  const name = makeName(random, random.pick(country.cultures));
  const ownNiches = pickNiches(random);
  const accounts = makeAccounts(random, name, index);
  return {
    slug: `${name.given}-${name.surname}-${index.toString(36)}`,
    name: name.display,
    ...(random.chance(0.92) ? { tagline: makeTagline(random, ownNiches, country) } : {}),
    country: country.name,
    languages: pickLanguages(random, country),
    verified: random.chance(0.7),
    ...(random.chance(0.35) ? { website: `https://${name.given}-${name.surname}.example/` } : {}),
    categories: ownNiches.map(({ slug }) => slug),
    published: random.chance(0.97),
    platforms: accounts,
  };
}

function makeAccounts(random: Random, name: CreatorName, index: number): PlatformAccountRecord[] {
  const form = makeHandle(random, name);
  let followers = makeFollowers(random);
  return pickPlatforms(random).map(({ name: platform, handleLength }) => {
    const account = {
      platform,
      handle: handleOn(platform, handleLength, form, index),
      followers: Math.floor(followers),
      updated_at: makeUpdateTime(random),
    };
    followers *= 0.05 + 0.75 * random.fraction();
    return account;
  });
}

/** Long-tailed: the smallest sizes are the most frequent by far, the largest are rare and capped. */
function makeFollowers(random: Random): number {
  const size = followersMin * (1 - random.fraction()) ** (-1 / followersTail);
  return Math.min(size, followersMax * (0.5 + random.fraction() / 2));
}

/** Most accounts were updated in the last few weeks, a few not for a year. */
function makeUpdateTime(random: Random): string {
  const ageDays = 400 * random.fraction() ** 3;
  return new Date(Math.floor((latestMs - ageDays * dayMs) / 1000) * 1000).toISOString();
}

function makeHandle(random: Random, { given, surname }: CreatorName): string {
  return random.pick([
    given + surname,
    `${given}.${surname}`,
    `${given}_${surname}`,
    `the${given}`,
    `${surname}official`,
    `${given.charAt(0)}${surname}`,
  ]);
}

/** Returns a handle of the longest form that the platform allows, without periods on X, where handles have none. */
function handleOn(platform: Platform, lengthMax: number, form: string, index: number): string {
  const letters = platform === 'x' ? form.replace('.', '_') : form;
  return letters.slice(0, lengthMax - String(index).length) + String(index);
}

function makeTagline(random: Random, ownNiches: readonly Niche[], country: Country): string {
  const activity = random.pick(random.pick(ownNiches).activities);
  return random.chance(0.3) ? `${activity}. Based in ${country.name}` : activity;
}

function pickPlatforms(random: Random): (typeof platforms)[number][] {
  const count = random.weighted(platformCountWeights) + 1;
  const rest = [...platforms];
  return Array.from({ length: count }, () =>
    rest.splice(random.weighted(rest.map(({ weight }) => weight)), 1),
  ).flat();
}

function pickNiches(random: Random): Niche[] {
  const first = pickWeighted(random, niches);
  const others = niches.filter((niche) => niche !== first);
  return [first, ...random.sample(others, random.weighted([55, 33, 12]))];
}

function pickLanguages(random: Random, { languages }: Country): string[] {
  const first = random.chance(0.8) ? languages[0] : random.pick(languages);
  const others = languages.filter((language) => language !== first);
  const extra = random.chance(0.25) ? random.sample(others, 1) : [];
  return first === undefined ? extra : [first, ...extra];
}

function pickWeighted<Item extends { readonly weight: number }>(
  random: Random,
  items: readonly Item[],
): Item {
  return items[random.weighted(items.map(({ weight }) => weight))] ?? random.pick(items);
}
