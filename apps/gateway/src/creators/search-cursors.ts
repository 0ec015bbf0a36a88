import { invalidRequest } from '#http';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type NextPage, searchFilters, type SearchQuery, type SearchRequest } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { sharedKey, type SharedSecrets } from '../config/shared-key.js';

const cursorPattern = /^([A-Za-z0-9_-]{22})\.((-?\d{1,16})?\.([a-z0-9-]+))$/;
const signatureBytes = 16;

const notValid =
  'cursor is not valid for this search: copy it unchanged from the page before, with the same filters, the same sort and a key of the same account, or begin at the first page';

/**
 * Cursors of searches: where a page begins, signed for the scope of its calls, its filters and their order. Each page is paid, so
 * a client must not be able to make a cursor that leads past pages.
 */
@Injectable()
export class SearchCursors {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: SharedSecrets) {
    this.key = sharedKey(config, 'cursors of searches');
  }

  /** The cursor of the next page: opaque to callers, and valid only for this search in this scope, with any page size. */
  write(scope: string, search: SearchRequest, next: NextPage): string {
    const { slug, updated_at: updatedAt, followers } = next;
    const place = `${followers ?? (updatedAt === null ? '' : Date.parse(updatedAt))}.${slug}`;
    return Buffer.from(`${this.sign(scope, search, place)}.${place}`).toString('base64url');
  }

  /** The parameters of the next page: the same search with a cursor. */
  nextPageOf(
    scope: string,
    search: SearchRequest,
    next: NextPage,
  ): Record<string, string | number | undefined> {
    const filters = Object.fromEntries(searchFilters.map((name) => [name, search[name]]));
    const { limit, sort } = search;
    const order = sort === 'recent' ? {} : { sort };
    return { ...filters, ...order, limit, cursor: this.write(scope, search, next) };
  }

  /** The search that a query asks for, from where its cursor says. Throws `invalid_request` for one that was not written for it. */
  read(scope: string, { cursor, ...search }: SearchQuery): SearchRequest {
    if (cursor === undefined) return search;
    const [, signature = '', place = '', value, slug] =
      cursorPattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    const expected = Buffer.from(this.sign(scope, search, place));
    const given = Buffer.from(signature);
    if (slug === undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalidRequest({ cursor: [notValid] });
    }
    const after = { ...search, after_slug: slug };
    if (value === undefined) return after;
    if (search.sort !== 'recent') return { ...after, after_followers: Number(value) };
    return { ...after, after_updated_at: new Date(Number(value)).toISOString() };
  }

  private sign(scope: string, search: SearchRequest, place: string): string {
    const signed = [scope, place, ...identityOf(search)];
    const digest = createHmac('sha256', this.key).update(JSON.stringify(signed)).digest();
    return digest.subarray(0, signatureBytes).toString('base64url');
  }
}

/** What makes a search another one, whatever its page: its filters and its order. */
export function identityOf(search: SearchRequest): (string | number | null)[] {
  const { sort = 'recent' } = search;
  return [...searchFilters.map((name) => search[name] ?? null), sort];
}
