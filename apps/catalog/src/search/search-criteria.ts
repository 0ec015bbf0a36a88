import { type Platform, type SearchRequest } from '@app/contracts';
import { foldText, searchWords } from '@app/platform';
import { categoryKey } from '../creators/category-key.js';

/** A search in the forms in which creators are compared. */
export interface SearchCriteria {
  /** Every word must occur in the folded name or in one folded handle. */
  readonly words: readonly string[];
  readonly country?: string;
  readonly category?: string;
  readonly language?: string;
  readonly platform?: Platform;
  readonly minFollowers?: number;
  readonly maxFollowers?: number;
  readonly limit: number;
}

export function toCriteria(search: SearchRequest): SearchCriteria {
  const { q, country, category, language, platform, min_followers, max_followers, limit } = search;
  return {
    words: q === undefined ? [] : [...new Set(searchWords(q))],
    ...(country === undefined ? {} : { country: foldText(country) }),
    ...(category === undefined ? {} : { category: categoryKey(category) }),
    ...(language === undefined ? {} : { language: foldText(language) }),
    ...(platform === undefined ? {} : { platform }),
    ...(min_followers === undefined ? {} : { minFollowers: min_followers }),
    ...(max_followers === undefined ? {} : { maxFollowers: max_followers }),
    limit,
  };
}
