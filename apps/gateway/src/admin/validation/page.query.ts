import { OptionalField, type Page, type PageRequest } from '@app/contracts';
import { IntegerParameter, TextField } from './fields.js';

const pageSizeMax = 200;

/** The query parameters `limit` and `cursor` of a list. */
export class PageQuery implements PageRequest {
  @IntegerParameter({ min: 1, max: pageSizeMax })
  limit = 50;

  @OptionalField()
  @TextField(500)
  cursor?: string;
}

/** A page whose items are under their own name: `{accounts: [...], next_cursor}`. */
export function namedPage<Name extends string, Item>(
  name: Name,
  page: Page<Item>,
): Record<Name, Item[]> & { next_cursor: string | null } {
  const items = { [name]: page.items } as Record<Name, Item[]>;
  return { ...items, next_cursor: page.next_cursor };
}
