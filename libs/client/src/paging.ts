/** What a page says about the one after it. */
export interface Page {
  /** `null` on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A list that comes in pages. Iterate over it for its items, or over `pages()`. A page is asked for when the one before it
 * has been used up, so what comes after `break` is never asked for; to iterate again is to ask again.
 */
export class PagedList<Item, PageOfItems extends Page> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<PageOfItems>;
  readonly #itemsOf: (page: PageOfItems) => readonly Item[];
  readonly #start: string | undefined;

  constructor(
    read: (cursor: string | undefined) => Promise<PageOfItems>,
    itemsOf: (page: PageOfItems) => readonly Item[],
    start?: string,
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#start = start;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  async *pages(): AsyncGenerator<PageOfItems, void, undefined> {
    for (let cursor = this.#start; ;) {
      const page = await this.#read(cursor);
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }
}
