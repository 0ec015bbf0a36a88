import { IntegerField, OptionalField, TextField } from './validation/fields.js';

/** A page request of the admin API: at most `limit` rows after the opaque `cursor` of the previous page. */
export class PageRequest {
  /** 1 to 200. */
  @IntegerField({ min: 1, max: 200 })
  readonly limit: number;

  @OptionalField()
  @TextField(500)
  readonly cursor?: string;
}

/** One page; `next_cursor` is `null` on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}
