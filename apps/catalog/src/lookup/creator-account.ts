import { accountUrls, handleProblem, type Platform } from '#contracts/threads';
import { type AccountKey, keysOfHandle, withoutAt, youtubeChannelId } from './account-key.js';
import { youtubeUrl } from './platform-links.js';
import { isPlatformLink, type ProfileLink, readProfileLink } from './profile-link.js';

interface Account {
  readonly platform: Platform;
  readonly handle: string;
  readonly url: string;
}

/**
 * The keys by which a creator's account is found: those of its handle, and what its link names when that is another
 * name. A link to another platform says nothing about this account.
 */
export function keysOfAccount({ platform, handle, url }: Account): readonly AccountKey[] {
  const keys = keysOfHandle(platform, handle);
  if (isUsualUrl(platform, handle, url)) return keys;
  const link = readProfileLink(url);
  if (typeof link === 'string' || link.platform !== platform) return keys;
  return [...new Set([...keys, ...link.exact])];
}

/** The keys of all accounts of a creator, each once. */
export function keysOfAccounts(accounts: readonly Account[]): AccountKey[] {
  return [...new Set(accounts.flatMap(keysOfAccount))];
}

/** A handle that appears unchanged in a link. */
const plainHandle = /^[\w-]+(\.[\w-]+)*$/;

/** Most accounts have the URL that is made of their handle: it need not be read. */
function isUsualUrl(platform: Platform, handle: string, url: string): boolean {
  const [before, after] = accountUrls[platform];
  return url === before + handle + after && plainHandle.test(handle);
}

/** What an account is published with. */
interface AccountName {
  readonly handle: string;
  readonly url: string;
}

/** A link has a slash, which no handle has. */
const slash = /[/\\]|%2f/i;

/** The account that a record names by its handle or by a link to it. Otherwise the rest of a sentence about the problem. */
export function readHandle(platform: Platform, given: string): AccountName | string {
  if (slash.test(given) && isPlatformLink(given)) return readHandleLink(platform, given);
  const handle = withoutAt(given);
  return handleProblem(platform, handle) ?? { handle, url: usualUrl(platform, handle) };
}

function readHandleLink(platform: Platform, given: string): AccountName | string {
  const link = linkOn(platform, given);
  if (typeof link === 'string') return link;
  const { handle, url } = link;
  if (handle === undefined) return 'is a link with the number of the account; give its handle';
  return handleProblem(platform, handle) ?? { handle, url: url ?? usualUrl(platform, handle) };
}

function usualUrl(platform: Platform, handle: string): string {
  if (platform === 'youtube' && youtubeChannelId.test(handle)) return youtubeUrl('channel', handle);
  return accountUrls[platform].join(encodeURIComponent(handle));
}

/** Why a URL is no link to a profile on the platform, as the rest of a sentence; `null` when it is one. */
export function urlProblem(platform: Platform, url: string): string | null {
  const link = linkOn(platform, url);
  return typeof link === 'string' ? link : null;
}

function linkOn(platform: Platform, url: string): ProfileLink | string {
  const link = readProfileLink(url);
  if (typeof link === 'string') return link.replace(/^url /, '');
  return link.platform === platform
    ? link
    : `is a link to an account on ${link.platform}, not on ${platform}`;
}
