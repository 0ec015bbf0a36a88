import { StandInError } from '../books/stand-in-error.js';
import { type FormTree, textAt } from './form.js';

interface Listed {
  readonly id: string;
  readonly created: number;
}

const limitDefault = 10;
const limitMax = 100;

/** A page of a list, newest first: `limit`, `starting_after`, `created[gte]`, and filters by equality. */
export function listPage(
  objects: Iterable<Listed & object>,
  { query, path, filters }: { query: FormTree; path: string; filters: readonly string[] },
): object {
  const wanted = filters.flatMap((name) => {
    const value = textAt(query, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const since = Number(textAt(query, 'created.gte') ?? 0);
  // The order of the map is that of creation, also within a second.
  const found = [...objects].reverse().filter((object) => {
    return object.created >= since && wanted.every(([name, value]) => Reflect.get(object, name) === value);
  });
  const after = textAt(query, 'starting_after');
  const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new StandInError(400, `No such object: '${after}'`, { code: 'resource_missing' });
  }
  const data = found.slice(start, start + limitOf(query));
  return { object: 'list', data, has_more: start + data.length < found.length, url: path };
}

function limitOf(query: FormTree): number {
  const limit = Number(textAt(query, 'limit') ?? limitDefault);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit;
  throw new StandInError(400, 'Invalid limit: from 1 to 100.', { param: 'limit' });
}
