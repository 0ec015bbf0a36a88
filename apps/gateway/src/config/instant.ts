import { isZonedTime } from '@app/contracts';
import { EnvError, makeValidator } from 'envalid';

/** An instant, ISO 8601 with `Z` or an offset. */
export const instant = makeValidator<string>((input) => {
  if (isZonedTime(input)) return input;
  throw new EnvError('must be an ISO 8601 time with Z or an offset, for example 2026-01-31T12:00:00Z');
});
