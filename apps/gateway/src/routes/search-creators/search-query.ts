import { type Platform, type SearchRequest } from '@app/contracts';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { type ParsedQuery, parseQuery } from '../../http/requests/raw-query.js';
import { validationProblems } from '../../validation/validation-problems.js';
import { readCursor } from './search-cursor.js';
import { SearchParameters, searchParameterNames } from './search-parameters.js';

export const limitDefault = 50;

/** Parses the search in a URL. Throws `invalid_request` that names every invalid parameter (spec 7). */
export function readSearchQuery(url: string): SearchRequest {
  return readSearch(parseQuery(url, searchParameterNames), limitDefault);
}

/** Validates the parameters of a search, wherever they were written. Throws as `readSearchQuery`. */
export function readSearch({ values, problems }: ParsedQuery, defaultLimit: number): SearchRequest {
  const parameters = Object.assign(new SearchParameters(), Object.fromEntries(values));
  const details = { ...validationProblems(parameters), ...problems };
  if (Object.keys(details).length > 0) throw invalidQuery(details);

  const search = toSearch(parameters, defaultLimit);
  const { min_followers: min, max_followers: max } = search;
  if (min !== undefined && max !== undefined && min > max) {
    const sentence = 'min_followers must not be greater than max_followers';
    throw invalidQuery({ min_followers: [sentence], max_followers: [sentence] });
  }
  return parameters.cursor === undefined ? search : behindCursor(search, parameters.cursor);
}

function behindCursor(search: SearchRequest, cursor: string): SearchRequest {
  const place = readCursor(cursor, search);
  if (typeof place === 'string') throw invalidQuery({ cursor: [place] });
  return { ...search, ...place };
}

function toSearch(parameters: SearchParameters, defaultLimit: number): SearchRequest {
  const { q, country, category, language, platform, min_followers, max_followers, limit } = parameters;
  return {
    ...(q === undefined ? {} : { q }),
    ...(country === undefined ? {} : { country }),
    ...(category === undefined ? {} : { category }),
    ...(language === undefined ? {} : { language }),
    ...(platform === undefined ? {} : { platform: platform as Platform }),
    ...(min_followers === undefined ? {} : { min_followers: Number(min_followers) }),
    ...(max_followers === undefined ? {} : { max_followers: Number(max_followers) }),
    limit: limit === undefined ? defaultLimit : Number(limit),
  };
}
