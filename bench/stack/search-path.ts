import { type SearchRequest } from '@app/contracts';

/** The path of a search on the public API. */
export function searchPath(search: SearchRequest): string {
  const parameters = Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]);
  return `/api/public/v1/search?${new URLSearchParams(parameters).toString()}`;
}
