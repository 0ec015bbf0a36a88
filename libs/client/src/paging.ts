/** The link of a page to the next one. */
export interface Page {
  /** `null` on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A list that comes in pages. Iterate over it for its items, or over `pages()`. A page is asked for when the one before it
 * has been used up, so what comes after `break` is never asked for; to iterate again is to ask again.
 */
export class PagedList<Item, PageOfItems extends Page> implements AsyncIterable<Item> {
  /** `start`: where the first page begins; `null`: there is none. */
  constructor(
    private readonly read: (cursor: string | undefined) => Promise<PageOfItems>,
    private readonly itemsOf: (page: PageOfItems) => readonly Item[],
    private readonly start?: string | null,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.itemsOf(page);
  }

  async *pages(): AsyncGenerator<PageOfItems, void, undefined> {
    let cursor = this.start;
    while (cursor !== null) {
      const page = await this.read(cursor);
      yield page;
      cursor = page.nextCursor;
    }
  }
}
