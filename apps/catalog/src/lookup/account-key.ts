import { type Platform } from '#contracts';
import { visibleText } from './link.js';

/**
 * A name that is unique on its platform, in the form in which names are compared: `youtube/@mira`,
 * `youtube/channel/UC...`. The platforms have several kinds of names, and the same word may name one account as a handle
 * and another one as an old user name.
 */
export type AccountKey = string;

/** Kinds of names beside handles. The case of an `id` matters. */
type NameKind = 'c' | 'user' | 'id';

export const youtubeChannelId = /^UC[\w-]{22}$/;
const digits = /^\d+$/;
const titleAndNumber = /-(\d{9,30})$/;

/** A handle, with or without its `@`. Case makes no difference on any of the platforms; on Facebook neither do periods. */
export function handleKey(platform: Platform, handle: string): AccountKey {
  const name = foldName(withoutAt(handle));
  return `${platform}/@${platform === 'facebook' ? name.replaceAll('.', '') : name}`;
}

export function nameKey(platform: Platform, kind: Exclude<NameKind, 'id'>, name: string): AccountKey {
  return `${platform}/${kind}/${foldName(withoutAt(name))}`;
}

export function idKey(platform: Platform, id: string): AccountKey {
  return `${platform}/id/${visibleText(id)}`;
}

/**
 * The names in a string given as a handle: people take the id of a YouTube channel or of a Facebook account for one, and
 * Facebook shows pages without a handle as `Title-ID`. Empty when there is nothing in it.
 */
export function keysOfHandle(platform: Platform, handle: string): readonly AccountKey[] {
  const name = withoutAt(handle);
  if (name === '') return [];
  if (platform === 'youtube' && youtubeChannelId.test(name)) {
    return [idKey(platform, name), handleKey(platform, name)];
  }
  if (platform !== 'facebook') return [handleKey(platform, name)];
  if (digits.test(name)) return [idKey(platform, name)];
  const number = numberAtEnd(name);
  const key = handleKey(platform, name);
  return number === undefined ? [key] : [key, idKey(platform, number)];
}

/** The id in `Title-100012345678901`. A shorter number may be a part of the title. */
export function numberAtEnd(title: string): string | undefined {
  return titleAndNumber.exec(title)?.[1];
}

/** A handle as it is seen, without its `@`. */
export function withoutAt(name: string): string {
  return visibleText(name).replace(/^[@\s]+/, '');
}

/** One form for letters that differ only in case. Accents stay: `josé` and `jose` are two people. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
