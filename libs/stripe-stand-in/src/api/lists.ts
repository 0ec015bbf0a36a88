import { invalid, StandInError } from '../books/stand-in-error.js';
import { type FormTree, textAt, textsAt } from './form.js';

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** A page of a list, newest first. */
export interface ListPage<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly url: string;
}

/** Parameters that are compared with the field of their name. */
const filters = ['payment_intent', 'type'] as const;
const limitMax = 100;

/** The page that the query asks for by `limit`, `starting_after`, `created.gte`, `types` and the filters. */
export function listPage<Item extends Listed>(
  url: string,
  objects: Iterable<Item>,
  query: FormTree,
): ListPage<Item> {
  // The order of the map is that of creation, also within a second.
  const all = [...objects].reverse();
  const after = textAt(query, 'starting_after');
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new StandInError(400, `No such object: '${after}'`, { code: 'resource_missing' });
  }
  const limit = Number(textAt(query, 'limit') ?? 10);
  if (!(limit >= 1 && limit <= limitMax)) throw invalid('limit', `Invalid limit: from 1 to ${limitMax}.`);
  const found = all.slice(start).filter(matcherOf(query));
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url };
}

function matcherOf(query: FormTree): (item: Listed) => boolean {
  const since = Number(textAt(query, 'created.gte') ?? 0);
  const types = Object.values(textsAt(query, 'types'));
  const values = filters.map((name) => ({ name, value: textAt(query, name) }));
  const fields = values.filter(({ value }) => value !== undefined);
  return (item) =>
    item.created >= since &&
    (types.length === 0 || types.some((type) => type === Reflect.get(item, 'type'))) &&
    fields.every(({ name, value }) => value === Reflect.get(item, name));
}
