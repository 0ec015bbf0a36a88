import { ServiceError } from '@app/contracts';

/** The instant that a message gives in `field`, ISO 8601; throws `invalid_request` for a text that is none. */
export function givenTime(field: string, text: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new ServiceError('invalid_request', `The ${field} is not a time.`, {
    details: { [field]: [`${field} must be an ISO 8601 time with Z or an offset`] },
  });
}
