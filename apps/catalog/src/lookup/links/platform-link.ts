import { type Platform } from '@app/contracts';
import { type AccountKey, keysOfHandle } from './account-key.js';
import { type Link } from './link.js';

/**
 * Why a link to a platform names no account: it leads to a post, to a page of the platform itself, or shortens another
 * link, so that only the platform knows where it leads.
 */
export type NoProfile = 'post' | 'page' | 'short link';

/** The names of the account that a link leads to. */
export interface NamesInLink {
  readonly says: readonly AccountKey[];
  /** Other names that it most probably means, when the ones before are not known. */
  readonly mayMean?: readonly AccountKey[];
}

export type PlatformLink = NamesInLink | NoProfile;

/** Reads the path of a link to one platform. */
export type ReadPlatformLink = (link: Link) => PlatformLink;

/** A profile named by its handle, with or without the `@`. */
export function namesOfHandle(platform: Platform, handle: string): PlatformLink {
  const says = keysOfHandle(platform, handle);
  return says.length === 0 ? 'page' : { says };
}

/** Whether a segment is one of these words, in any case. */
export function isOneOf(words: ReadonlySet<string>, segment: string | undefined): boolean {
  return segment !== undefined && words.has(segment.toLowerCase());
}

/**
 * Whether the path behind a profile leads to one of its posts: such a word with something behind it. The word alone is
 * a tab of the profile. The name in such a link is not evidence: platforms show the post whatever name stands there.
 */
export function isPostOf(words: ReadonlySet<string>, [, word, post]: readonly string[]): boolean {
  return isOneOf(words, word) && post !== undefined;
}
