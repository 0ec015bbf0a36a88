import { types } from 'node:util';

/** What a failure says, whatever was thrown, in whichever realm it was made (`instanceof` only knows its own). */
export function messageOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  // Several addresses that refuse a connection make an error without a message of its own.
  const several = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return error.message === '' && several.length > 0 ? several.map(messageOf).join('; ') : error.message;
}
