import { Integer, type Page, type PageRequest, Text } from '@app/contracts';

/** The query parameters `limit` and `cursor` of a list. */
export class PageQuery implements PageRequest {
  @Integer({ min: 1, max: 200, default: 50 })
  readonly limit: number;

  @Text({ max: 500, optional: true })
  readonly cursor?: string;
}

/** A page whose items are under their own name: `{accounts: [...], next_cursor}`. */
export function namedPage<Name extends string, Item>(
  name: Name,
  page: Page<Item>,
): Record<Name, Item[]> & { next_cursor: string | null } {
  const items = { [name]: page.items } as Record<Name, Item[]>;
  return { ...items, next_cursor: page.next_cursor };
}
