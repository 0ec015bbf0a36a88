import { createHash } from 'node:crypto';
import {
  type NextPage,
  searchFilters,
  type SearchQuery,
  type SearchRequest,
  slugLengthMax,
  slugPattern,
} from '@app/contracts';
import { invalidRequest } from '../requests/read-request.js';

/** The part of a search that defines where its page begins. */
export type AfterCreator = Pick<SearchRequest, 'after_slug' | 'after_updated_at'>;

const cursorPattern = /^([A-Za-z0-9_-]{11})\.(-?\d{1,15})?\.([a-z0-9-]+)$/;
const digestBytes = 8;

/** The cursor of the next page of a search: opaque to callers, and valid only for this search. */
export function writeCursor(search: SearchRequest, { slug, updated_at: updatedAt }: NextPage): string {
  const time = updatedAt === null ? '' : String(Date.parse(updatedAt));
  return Buffer.from(`${digestOf(search)}.${time}.${slug}`).toString('base64url');
}

/** The parameters of the next page of a search: the same search with a cursor. */
export function nextPageOf(
  search: SearchRequest,
  next: NextPage,
): Record<string, string | number | undefined> {
  const filters = Object.fromEntries(searchFilters.map((name) => [name, search[name]]));
  return { ...filters, limit: search.limit, cursor: writeCursor(search, next) };
}

/** The search that a query asks for, from where its cursor says. Throws `invalid_request` for one that is not valid. */
export function searchFrom({ cursor, ...search }: SearchQuery): SearchRequest {
  if (cursor === undefined) return search;
  const place = readCursor(cursor, search);
  if (typeof place === 'string') throw invalidRequest({ cursor: [place] });
  return { ...search, ...place };
}

/** Decodes a cursor. Returns a sentence about the problem when it is not ours or belongs to another search. */
export function readCursor(cursor: string, search: SearchRequest): AfterCreator | string {
  const [, digest, time, slug = ''] = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest === undefined || slug.length > slugLengthMax || !slugPattern.test(slug)) {
    return 'cursor must be copied unchanged from the page before';
  }
  if (digest !== digestOf(search)) return 'cursor belongs to a search with other filters';
  return {
    after_slug: slug,
    ...(time === undefined ? {} : { after_updated_at: new Date(Number(time)).toISOString() }),
  };
}

/** A digest of the filters; the page size makes no difference. */
function digestOf(search: SearchRequest): string {
  const values = searchFilters.map((name) => search[name] ?? null);
  const hash = createHash('sha256').update(JSON.stringify(values)).digest();
  return hash.subarray(0, digestBytes).toString('base64url');
}
