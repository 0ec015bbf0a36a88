import { Integer, Text } from './shape/fields.js';

/** A page of a list, of the admin API too: at most `limit` rows after the opaque `cursor` of the previous page. */
export class PageRequest {
  @Integer({ min: 1, max: 200, default: 50 })
  readonly limit: number;

  @Text({ max: 500, optional: true })
  readonly cursor?: string;
}

/** One page; `next_cursor` is `null` on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}
