import { type NextPage, searchFilters, type SearchRequest } from '@app/contracts';
import { type FastifyRequest } from 'fastify';
import { writeCursor } from './search-cursor.js';

/** The `Link` header (RFC 8288) to the next page of a search: the same search with a cursor. */
export function nextPageLink(request: FastifyRequest, search: SearchRequest, next: NextPage): string {
  const parameters = new URLSearchParams();
  for (const name of [...searchFilters, 'limit'] as const) {
    const value = search[name];
    if (value !== undefined) parameters.set(name, String(value));
  }
  parameters.set('cursor', writeCursor(search, next));
  const path = request.url.split('?', 1)[0] ?? '';
  return `<${originOf(request)}${path}?${parameters.toString()}>; rel="next"`;
}

/** The origin as the client knows it; empty without a valid host, which makes the link relative. */
function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : '';
}
