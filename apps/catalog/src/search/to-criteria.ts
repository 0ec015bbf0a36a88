import { type SearchRequest } from '@app/contracts';
import { type SearchCriteria } from '@app/creator-index';
import { foldText, searchWords } from '@app/platform';
import { categoryKey } from '../creators/category-key.js';

/** The criteria of a request: its strings folded, without duplicate words. */
export function toCriteria(search: SearchRequest): SearchCriteria {
  const { q, country, category, language, platform, min_followers, max_followers, limit } = search;
  const { after_slug: slug, after_updated_at: updatedAt } = search;
  return {
    words: q === undefined ? [] : [...new Set(searchWords(q))],
    ...(country === undefined ? {} : { country: foldText(country) }),
    ...(category === undefined ? {} : { category: categoryKey(category) }),
    ...(language === undefined ? {} : { language: foldText(language) }),
    ...(platform === undefined ? {} : { platform }),
    ...(min_followers === undefined ? {} : { minFollowers: min_followers }),
    ...(max_followers === undefined ? {} : { maxFollowers: max_followers }),
    ...(slug === undefined
      ? {}
      : { after: { slug, updatedAt: updatedAt === undefined ? -Infinity : Date.parse(updatedAt) } }),
    limit,
  };
}
