import { handleProblem, isDay, type Platform, type PlatformAccountRecord, platforms } from '#contracts';
import {
  bestStatements,
  countOf,
  currentStatements,
  dayOf,
  type Item,
  qualifierTexts,
  type Statement,
  textOf,
} from './item.js';

/** The properties whose value names an account, on its own and as a qualifier of a follower count. */
const idProperties: Readonly<Record<Platform, readonly string[]>> = {
  youtube: ['P2397', 'P11245'],
  instagram: ['P2003'],
  tiktok: ['P7085'],
  facebook: ['P2013'],
  x: ['P2002', 'P6552'],
};
const followers = 'P8687';
const pointInTime = 'P585';

/** An account with all ids by which a count can name it, as `P2002 name`. */
interface Account {
  readonly handle: string;
  readonly url?: string;
  readonly ids: readonly string[];
}

interface Count {
  readonly platform: Platform;
  readonly ids: readonly string[];
  readonly followers: number;
  readonly day: string;
}

/** The platforms on which the item has an account, whether or not its followers are known. */
export function hasAccount(item: Item): boolean {
  return platforms.some((platform) => accountsOn(item, platform).length > 0);
}

/**
 * The item's account on each platform, with its newest count of followers up to `today`. A platform without a count that
 * names the account and its day is left out. Of several accounts on a platform, the one with the most followers is taken.
 */
export function countedAccounts(item: Item, today: string): PlatformAccountRecord[] {
  const counts = followerCounts(item, today);
  return platforms.flatMap((platform) => {
    const counted = accountsOn(item, platform).flatMap(({ handle, url, ids }) => {
      const count = counts.find((of) => of.platform === platform && of.ids.some((id) => ids.includes(id)));
      if (!count) return [];
      const { followers, day } = count;
      return [{ platform, handle, ...(url ? { url } : {}), followers, updated_at: day }];
    });
    return counted.sort((a, b) => b.followers - a.followers).slice(0, 1);
  });
}

/** All counts of the item, newest first. One that names accounts on several platforms is of none. */
function followerCounts(item: Item, today: string): Count[] {
  return currentStatements(item, followers)
    .flatMap((statement) => {
      const count = countOf(statement.mainsnak);
      const days = (statement.qualifiers?.[pointInTime] ?? []).map(dayOf);
      const [day] = days.filter((known) => isDay(known) && known <= today);
      const named = platforms
        .map((platform) => ({ platform, ids: qualifierIds(statement, idProperties[platform]) }))
        .filter(({ ids }) => ids.length > 0);
      const [only, ...others] = named;
      if (count === undefined || day === undefined || !only || others.length > 0) return [];
      return [{ ...only, followers: count, day }];
    })
    .sort((a, b) => b.day.localeCompare(a.day) || b.followers - a.followers);
}

function accountsOn(item: Item, platform: Platform): Account[] {
  if (platform === 'youtube') return youtubeAccounts(item);
  const [name = '', ...further] = idProperties[platform];
  return bestStatements(item, name).flatMap((statement) => {
    const handle = textOf(statement.mainsnak);
    if (handle === undefined || handleProblem(platform, handle) !== null) return [];
    return [{ handle, ids: [idOf(name, handle), ...qualifierIds(statement, further)] }];
  });
}

/**
 * YouTube names an account by its channel id and by its handle. They belong together when one qualifies the other, or
 * when the item has only one of each. A channel whose handle is unknown has its id instead.
 */
function youtubeAccounts(item: Item): Account[] {
  const [channelProperty, handleProperty] = ['P2397', 'P11245'] as const;
  const channels = bestStatements(item, channelProperty);
  const handles = bestStatements(item, handleProperty);
  const oneOfEach = channels.length === 1 && handles.length === 1;
  const accounts = channels.map((channel): Account & { readonly own: Statement[] } => {
    const id = textOf(channel.mainsnak) ?? '';
    const own = handles.filter((handle) => {
      const named = qualifierTexts(handle, channelProperty);
      return named.includes(id) || (oneOfEach && named.length === 0);
    });
    const names = [
      ...qualifierTexts(channel, handleProperty),
      ...own.map(({ mainsnak }) => textOf(mainsnak) ?? ''),
    ];
    return {
      handle: names[0] ?? id,
      url: `https://www.youtube.com/channel/${id}`,
      ids: [idOf(channelProperty, id), ...names.map((name) => idOf(handleProperty, name))],
      own,
    };
  });
  const withoutChannel = handles
    .filter((handle) => !accounts.some(({ own }) => own.includes(handle)))
    .map(({ mainsnak }) => textOf(mainsnak) ?? '')
    .map((handle) => ({ handle, ids: [idOf(handleProperty, handle)] }));
  return [...accounts, ...withoutChannel].filter(({ handle }) => handleProblem('youtube', handle) === null);
}

function qualifierIds(statement: Statement, properties: readonly string[]): string[] {
  return properties.flatMap((property) =>
    qualifierTexts(statement, property).map((value) => idOf(property, value)),
  );
}

/** Platforms don't distinguish upper and lower case in names. */
function idOf(property: string, value: string): string {
  return `${property} ${value.toLowerCase()}`;
}
