import { accountUrls, type Platform } from '#contracts/threads';
import { type AccountKey, keysOfHandle } from './account-key.js';
import { readProfileLink } from './profile-link.js';

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
