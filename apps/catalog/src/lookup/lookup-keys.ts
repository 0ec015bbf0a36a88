import { type ErrorDetails, isRecord, readShape, ValidAccountToFind } from '#contracts';
import { type AccountKey, keysOfHandle } from './account-key.js';
import { isPlatformLink, keysOfLink, readProfileLink } from './profile-link.js';

/** The keys to look for, the most probable first; or why the input names no account, by field. */
export type Lookup = { readonly keys: readonly AccountKey[] } | { readonly details: ErrorDetails };

/** The keys of an account as a caller named it. Validated here, so that one of a batch does not fail the others. */
export function readLookup(given: unknown): Lookup {
  const { shape, details } = readShape(ValidAccountToFind, isRecord(given) ? given : {}, { strict: false });
  return details ? { details } : lookupKeys(shape);
}

function lookupKeys({ url, platform, handle }: ValidAccountToFind): Lookup {
  if (url !== undefined) {
    const link = readProfileLink(url);
    return typeof link === 'string' ? { details: { url: [link] } } : { keys: keysOfLink(link) };
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
