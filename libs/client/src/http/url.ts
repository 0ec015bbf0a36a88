/**
 * The query string of these parameters, `undefined` left out. Throws a `TypeError` for a value that is neither a string nor
 * a number: `null` or a list would be sent as words, and paid for.
 */
export function queryOf(values: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`${name} must be a string or a number; leave it out to ask without it.`);
    }
    parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Text as one segment of a path. Throws a `TypeError` when it is missing. */
export function segmentOf(name: string, text: string): string {
  if (typeof text !== 'string' || text === '') {
    throw new TypeError(`${name} must be a string that is not empty.`);
  }
  return encodeURIComponent(text);
}
