import { isId, ServiceError } from '@app/contracts';

/** An id in a form or an address. What can't be one is answered as one that does not exist. */
export function readId(text: string): string {
  if (isId(text)) return text;
  throw new ServiceError('not_found', 'There is no such thing in this account.');
}
