import { createHash } from 'node:crypto';
import { type NextPage, searchFilters, type SearchRequest, slugLengthMax, slugPattern } from '@app/contracts';

/** The part of a search that says where its page begins. */
export type AfterCreator = Pick<SearchRequest, 'after_slug' | 'after_updated_at'>;

const cursorPattern = /^([A-Za-z0-9_-]{11})\.(-?\d{1,15})?\.([a-z0-9-]+)$/;
const digestBytes = 8;

/** Where the next page of a search begins, as consumers see it: nothing to be read, and good for this search alone. */
export function writeCursor(search: SearchRequest, { slug, updated_at: updatedAt }: NextPage): string {
  const time = updatedAt === null ? '' : String(Date.parse(updatedAt));
  return Buffer.from(`${digestOf(search)}.${time}.${slug}`).toString('base64url');
}

/** What a cursor says; a sentence about what is wrong with it, when it is none of ours or of another search. */
export function readCursor(cursor: string, search: SearchRequest): AfterCreator | string {
  const [, digest, time, slug = ''] = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digest === undefined || slug.length > slugLengthMax || !slugPattern.test(slug)) {
    return 'cursor must be taken as it is from the Link header of a search';
  }
  if (digest !== digestOf(search)) return 'cursor belongs to a search with other filters';
  return {
    after_slug: slug,
    ...(time === undefined ? {} : { after_updated_at: new Date(Number(time)).toISOString() }),
  };
}

/** The same for the same filters; how many creators a page has makes no difference. */
function digestOf(search: SearchRequest): string {
  const values = searchFilters.map((name) => search[name] ?? null);
  const hash = createHash('sha256').update(JSON.stringify(values)).digest();
  return hash.subarray(0, digestBytes).toString('base64url');
}
