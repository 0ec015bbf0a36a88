import { type CreatorRecord, slugLengthMax, slugOf } from '#contracts';
import { countedAccounts, hasAccount } from './accounts.js';
import { bestStatements, type Item, itemIds, textOf } from './item.js';
import { type Tables } from './tables.js';

/** Why an item with follower counts is left out: the first reason that applies, as users see it. */
export const reasons = {
  kind: 'of a class that kinds.json does not list',
  account: 'without an account on the five platforms',
  count: 'without a count that names an account and its day',
  name: 'without a name in Latin letters',
  country: 'without a country of countries.json',
};
export type Reason = keyof typeof reasons;

/** Properties that name a country: citizenship of people; country of origin and country of others. */
const countryProperties = ['P27', 'P495', 'P17'];
/** Native language, languages spoken, language and original language of works. */
const languageProperties = ['P103', 'P1412', 'P407', 'P364'];
/** Occupation, field of work, genre, sport, and the class itself. */
const categoryProperties = ['P106', 'P101', 'P136', 'P641', 'P31'];
const officialWebsite = 'P856';

/** The creator that an item describes, or why it is left out. */
export function toRecord(item: Item, tables: Tables, today: string): CreatorRecord | Reason {
  if (!itemIds(item, ['P31']).some((id) => tables.kinds.has(id))) return 'kind';
  const platforms = countedAccounts(item, today);
  if (platforms.length === 0) return hasAccount(item) ? 'count' : 'account';
  const name = nameOf(item);
  if (name === undefined) return 'name';
  const [country] = translated(item, countryProperties, tables.countries);
  if (country === undefined) return 'country';
  const website = websiteOf(item);
  return {
    slug: slugWithId(name, item.id),
    name,
    tagline: item.descriptions?.en?.value ?? '',
    country,
    languages: translated(item, languageProperties, tables.languages),
    ...(website === undefined ? {} : { website }),
    categories: translated(item, categoryProperties, tables.categories),
    platforms,
  };
}

/**
 * English, else the name for all languages, else the first one in Latin letters by the code of its language: of the labels, else of
 * the aliases.
 */
function nameOf({ labels = {}, aliases = {} }: Item): string | undefined {
  const given = labels.en ?? labels.mul;
  if (given) return given.value;
  const inOrder = <Given>(byLanguage: Readonly<Record<string, Given>>): Given[] =>
    Object.entries(byLanguage)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, given]) => given);
  const texts = [...inOrder(labels), ...inOrder(aliases).flat()];
  return texts.find(({ value }) => isLatin(value))?.value;
}

function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}\P{L}]*$/u.test(text) && /\p{L}/u.test(text);
}

/** The id makes it unique, and finds the creator on each run, also when all of the accounts have got other names. */
function slugWithId(name: string, id: string): string {
  const suffix = id.toLowerCase();
  const start = slugOf(name, slugLengthMax - suffix.length - 1);
  return start === '' ? suffix : `${start}-${suffix}`;
}

function websiteOf(item: Item): string | undefined {
  return bestStatements(item, officialWebsite)
    .map(({ mainsnak }) => textOf(mainsnak))
    .find((url) => url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url));
}

/** What a table says of the items that the properties name, each thing once. */
function translated(
  item: Item,
  properties: readonly string[],
  table: ReadonlyMap<string, string | readonly string[]>,
): string[] {
  return [...new Set(itemIds(item, properties).flatMap((id) => table.get(id) ?? []))];
}
