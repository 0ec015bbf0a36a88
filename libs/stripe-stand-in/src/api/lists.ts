import { StandInError } from '../books/stand-in-error.js';
import { type FormTree, textAt } from './form.js';

export interface Listed {
  readonly id: string;
  readonly created: number;
}

interface ListOptions<Item> {
  readonly query: FormTree;
  readonly path: string;
  /** Parameters that are compared with the field of their name. */
  readonly filters?: readonly string[];
  readonly matches?: (item: Item) => boolean;
}

const limitDefault = 10;
const limitMax = 100;

/** A page of a list, newest first: `limit`, `starting_after` or `ending_before`, `created`, and filters. */
export function listPage<Item extends Listed>(
  objects: Iterable<Item>,
  { query, path, filters = [], matches = () => true }: ListOptions<Item>,
): object {
  const wanted = filters.flatMap((name) => {
    const value = textAt(query, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const isWanted = (item: Item): boolean =>
    isWithin(query, item.created) &&
    wanted.every(([name, value]) => Reflect.get(item, name) === value) &&
    matches(item);
  // The order of the map is that of creation, also within a second.
  const all = [...objects].reverse();
  const limit = limitOf(query);
  const before = textAt(query, 'ending_before');
  if (before !== undefined) {
    const newer = all.slice(0, indexOf(all, before)).filter(isWanted);
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url: path };
  }
  const after = textAt(query, 'starting_after');
  const older = all.slice(after === undefined ? 0 : indexOf(all, after) + 1).filter(isWanted);
  return { object: 'list', data: older.slice(0, limit), has_more: older.length > limit, url: path };
}

function isWithin(query: FormTree, created: number): boolean {
  const bound = (name: string, none: number): number => Number(textAt(query, `created.${name}`) ?? none);
  return (
    created >= bound('gte', 0) &&
    created > bound('gt', -1) &&
    created <= bound('lte', Infinity) &&
    created < bound('lt', Infinity) &&
    created === Number(textAt(query, 'created') ?? created)
  );
}

/** Where a page starts or ends. */
function indexOf(all: readonly Listed[], id: string): number {
  const index = all.findIndex((one) => one.id === id);
  if (index >= 0) return index;
  throw new StandInError(400, `No such object: '${id}'`, { code: 'resource_missing' });
}

function limitOf(query: FormTree): number {
  const limit = Number(textAt(query, 'limit') ?? limitDefault);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit;
  throw new StandInError(400, 'Invalid limit: from 1 to 100.', { param: 'limit' });
}
