import { type Platform } from '@app/contracts';
import { type AccountKey, keysOfHandle } from './account-key.js';
import { type Link } from './link.js';

/**
 * Why a link to a platform names no account: it leads to a post, to a page of the platform itself, or shortens another
 * link, so that only the platform knows where it leads.
 */
export type UnsupportedLink = 'post' | 'page' | 'short link';

/** The keys of the account that a link leads to. */
export interface NamesInLink {
  readonly exact: readonly AccountKey[];
  /** Other keys that it most probably means, when the exact ones are not known. */
  readonly candidates?: readonly AccountKey[];
}

export type PlatformLink = NamesInLink | UnsupportedLink;

/** Reads the path of a link to one platform. */
export type ReadPlatformLink = (link: Link) => PlatformLink;

/** A profile named by its handle, with or without the `@`. */
export function namesOfHandle(platform: Platform, handle: string): PlatformLink {
  const exact = keysOfHandle(platform, handle);
  return exact.length === 0 ? 'page' : { exact };
}

/** Whether a segment is one of these words, in any case. */
export function isOneOf(words: ReadonlySet<string>, segment: string | undefined): boolean {
  return segment !== undefined && words.has(segment.toLowerCase());
}

/**
 * Whether the path after a profile leads to one of its posts: such a word with something after it. The word by itself is
 * a tab of the profile. The name in such a link is not evidence: platforms show the post whatever the name is.
 */
export function isPostOf(words: ReadonlySet<string>, [, word, post]: readonly string[]): boolean {
  return isOneOf(words, word) && post !== undefined;
}
