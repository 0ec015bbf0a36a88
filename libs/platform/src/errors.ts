import { types } from 'node:util';

/** The message of anything thrown, also of an error from another realm, where `instanceof` fails. */
export function messageOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  // When several addresses refuse a connection, the error has no message.
  const several = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return error.message === '' && several.length > 0 ? several.map(messageOf).join('; ') : error.message;
}

/** The reason why a process can't start, in a complete sentence: it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
