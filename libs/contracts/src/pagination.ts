/** A page request of the admin API: at most `limit` rows after the opaque `cursor` of the page before. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** One page; `next_cursor` is `null` on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}
