import { type ErrorDetails, type Platform, type SearchRequest } from '@app/contracts';
import { validateSync } from 'class-validator';
import { invalidQuery } from '../../http/invalid-query.js';
import { parseQuery } from '../../http/raw-query.js';
import { readCursor } from './search-cursor.js';
import { SearchParameters, searchParameterNames } from './search-parameters.js';

const limitDefault = 50;

/** Parses the search in a URL. Throws `invalid_request` that names every invalid parameter (spec 7). */
export function readSearchQuery(url: string): SearchRequest {
  const { values, problems } = parseQuery(url, searchParameterNames);
  const parameters = Object.assign(new SearchParameters(), Object.fromEntries(values));
  const details = { ...validationProblems(parameters), ...problems };
  if (Object.keys(details).length > 0) throw invalidQuery(details);

  const search = toSearch(parameters);
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

function validationProblems(parameters: SearchParameters): ErrorDetails {
  const errors = validateSync(parameters);
  return Object.fromEntries(errors.map((error) => [error.property, Object.values(error.constraints ?? {})]));
}

function toSearch(parameters: SearchParameters): SearchRequest {
  const { q, country, category, language, platform, min_followers, max_followers, limit } = parameters;
  return {
    ...(q === undefined ? {} : { q }),
    ...(country === undefined ? {} : { country }),
    ...(category === undefined ? {} : { category }),
    ...(language === undefined ? {} : { language }),
    ...(platform === undefined ? {} : { platform: platform as Platform }),
    ...(min_followers === undefined ? {} : { min_followers: Number(min_followers) }),
    ...(max_followers === undefined ? {} : { max_followers: Number(max_followers) }),
    limit: limit === undefined ? limitDefault : Number(limit),
  };
}
