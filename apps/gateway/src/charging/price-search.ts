import { type SearchRequest } from '@app/contracts';

/** The parameters that count (spec 4.1, rule 2); `limit` does not. */
const filters = [
  'q',
  'country',
  'category',
  'language',
  'platform',
  'min_followers',
  'max_followers',
] as const;

/** Price of one profile in credits (spec 4.2). */
export const profilePrice = 1;

/** Price of a search in credits: nothing when nothing matched, else 1 and 1 more for each filter used (spec 4.1). */
export function priceSearch(search: SearchRequest, total: number): number {
  if (total === 0) return 0;
  return 1 + filters.filter((filter) => search[filter] !== undefined).length;
}
