import { accountUrls, handleProblem, type Platform } from '#contracts/threads';
import { withoutAt, youtubeChannelId } from './account-key.js';
import { youtubeUrl } from './platform-links.js';
import { isPlatformLink, readProfileLink } from './profile-link.js';

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
  const link = readProfileLink(given);
  if (typeof link === 'string') return link.replace(/^url /, '');
  if (link.platform !== platform) return `is a link to an account on ${link.platform}, not on ${platform}`;
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
  const link = readProfileLink(url);
  if (typeof link === 'string') return link.replace(/^url /, '');
  return link.platform === platform
    ? null
    : `is a link to an account on ${link.platform}, not on ${platform}`;
}
