import { type SearchFilter, searchFilters, type SearchRequest } from '@app/contracts';

/** Price of one profile in credits. */
export const profilePrice = 1;

/** Price of a search in credits: nothing when nothing matched, else 1 and 1 more for each filter used. */
export function priceSearch(search: SearchRequest, total: number): number {
  if (total === 0) return 0;
  return 1 + filtersUsed(search).length;
}

/** The filters of a search, which its price counts. */
export function filtersUsed(search: SearchRequest): SearchFilter[] {
  return searchFilters.filter((filter) => search[filter] !== undefined);
}
