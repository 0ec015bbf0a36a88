import { type ErrorDetails, isDay } from '@app/contracts';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { parseQuery } from '../../http/requests/raw-query.js';
import { type Days, usageRange } from '../../usage/usage-range.js';

/** Parses the days in a URL. Throws `invalid_request` that names every invalid parameter. */
export function readUsageQuery(url: string, now: Date): Days {
  const { values, problems } = parseQuery(url, ['from', 'to']);
  const details: ErrorDetails = {};
  for (const [name, value] of values) {
    if (!isDay(value)) details[name] = [`${name} must be a day, for example 2026-01-31`];
  }
  Object.assign(details, problems);
  if (Object.keys(details).length > 0) throw invalidQuery(details);
  return usageRange(values.get('from'), values.get('to'), now);
}
