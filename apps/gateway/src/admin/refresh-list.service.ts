import {
  listCreatorRecords,
  listRefreshSlugs,
  type Page,
  recordsMax,
  type RefreshFilters,
  type RefreshQuery,
  refreshSlugsMax,
} from '#contracts';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';

/** Reads the list of creators to be refreshed: many slugs at a time, as their order costs most, and few records. */
@Injectable()
export class RefreshListService {
  constructor(private readonly services: ServiceClient) {}

  /** Resolves when the first slugs are read; the lines are read no faster than they are taken. */
  async open({ limit, ...filters }: RefreshQuery, context: RequestContext): Promise<AsyncGenerator<Buffer>> {
    const first = await this.page(filters, limit, undefined, context);
    return this.lines(filters, limit, first, context);
  }

  private async *lines(
    filters: RefreshFilters,
    limit: number,
    first: Page<string>,
    context: RequestContext,
  ): AsyncGenerator<Buffer> {
    let [page, left] = [first, limit];
    for (;;) {
      for (let at = 0; at < page.items.length; at += recordsMax) {
        const slugs = page.items.slice(at, at + recordsMax);
        const { bytes } = await this.services.request(listCreatorRecords, { slugs }, context);
        // An empty piece would end the stream.
        if (bytes.length > 0) yield bytes;
      }
      left -= page.items.length;
      if (page.next_cursor === null || left === 0) return;
      page = await this.page(filters, left, page.next_cursor, context);
    }
  }

  private page(
    filters: RefreshFilters,
    left: number,
    cursor: string | undefined,
    context: RequestContext,
  ): Promise<Page<string>> {
    const request = { ...filters, limit: Math.min(left, refreshSlugsMax), ...(cursor ? { cursor } : {}) };
    return this.services.request(listRefreshSlugs, request, context);
  }
}
