import { hashText } from '../segments/slug-table.js';

/** Pairs of different keys that have the same hash, found by trying. */
export function collidingKeys(pairs: number): [string, string][] {
  const keys = new Map<number, string>();
  const found: [string, string][] = [];
  for (let number = 0; found.length < pairs; number++) {
    const key = `x/@${number.toString(36)}`;
    const known = keys.get(hashText(key));
    if (known === undefined) keys.set(hashText(key), key);
    else found.push([known, key]);
  }
  return found;
}
