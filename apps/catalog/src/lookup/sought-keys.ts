import { type ErrorDetails, InvalidPayloadError, readPayload, SoughtAccount } from '@app/contracts';
import { type AccountKey, keysOfHandle } from './links/account-key.js';
import { isPlatformLink, readProfileLink } from './links/profile-link.js';

/** What to look for, the most probable first; or why what was given names no account, by field. */
export type Sought = { readonly keys: readonly AccountKey[] } | { readonly details: ErrorDetails };

/** The keys of an account as somebody named it. `given` is not validated yet: one of a batch does not fail the others. */
export function readSought(given: unknown): Sought {
  try {
    return soughtKeys(readPayload(SoughtAccount, given));
  } catch (error) {
    if (error instanceof InvalidPayloadError && error.details) return { details: error.details };
    throw error;
  }
}

function soughtKeys({ url, platform, handle }: SoughtAccount): Sought {
  if (url !== undefined) {
    const link = readProfileLink(url);
    return typeof link === 'string'
      ? { details: { url: [link] } }
      : { keys: [...link.says, ...(link.mayMean ?? [])] };
  }
  if (platform === undefined || handle === undefined) {
    return { details: { url: ['url is missing; give url, or platform and handle'] } };
  }
  if (handle.includes('/') && isPlatformLink(handle)) {
    return { details: { handle: ['handle must be a name, not a link; give a link as url'] } };
  }
  const keys = keysOfHandle(platform, handle);
  return keys.length > 0 ? { keys } : { details: { handle: ['handle must not be empty'] } };
}
