import { Integer, Text } from './shape/fields.js';

/** A page request of the admin API: at most `limit` rows after the opaque `cursor` of the previous page. */
export class PageRequest {
  /** 1 to 200. */
  @Integer({ min: 1, max: 200 })
  readonly limit: number;

  @Text({ max: 500, optional: true })
  readonly cursor?: string;
}

/** One page; `next_cursor` is `null` on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}
