import { invalid, StandInError } from '../books/stand-in-error.js';

/** A form as Stripe's libraries send it: `a[b][0]=c` is `{a: {b: {0: 'c'}}}`. */
export interface FormTree {
  [name: string]: FormTree | string;
}

/** Reads a form or a query string. */
export function readForm(text: string): FormTree {
  const root = emptyTree();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop();
    if (last === undefined) continue;
    const parent = path.reduce<FormTree>((tree, part) => {
      const inner = tree[part];
      return typeof inner === 'object' ? inner : (tree[part] = emptyTree());
    }, root);
    parent[last] = value;
  }
  return root;
}

/** An object without a prototype, so that `__proto__` is a name like others. */
function emptyTree(): FormTree {
  return Object.create(null) as FormTree;
}

function at(form: FormTree, path: string): FormTree | string | undefined {
  return path.split('.').reduce<FormTree | string | undefined>((tree, part) => {
    return typeof tree === 'object' ? tree[part] : undefined;
  }, form);
}

/** The value at `a.b.0`; `undefined` when there is none or when it is not a single value. */
export function textAt(form: FormTree, path: string): string | undefined {
  const found = at(form, path);
  return typeof found === 'string' ? found : undefined;
}

/** Throws when there is none. */
export function neededText(form: FormTree, path: string): string {
  const text = textAt(form, path);
  if (text === undefined) throw invalid(path, `Missing required param: ${path}.`);
  return text;
}

/** The single values below `a.b`, by name; empty when there are none. */
export function textsAt(form: FormTree, path: string): Record<string, string> {
  const found = at(form, path);
  if (typeof found !== 'object') return {};
  const texts = Object.entries(found).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/** A whole number above 0, if one was sent. */
export function amountAt(form: FormTree, path: string): number | undefined {
  const text = textAt(form, path);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw invalid(path, `Invalid positive integer: ${text}`);
  return Number(text);
}

interface Listed {
  readonly id: string;
  readonly created: number;
}

const limitMax = 100;

/** A page of a list, newest first, by the query's `limit`, `starting_after`, `created.gte`, `types` and `payment_intent`. */
export function listPage(url: string, objects: Iterable<Listed>, query: FormTree): object {
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
  const intent = textAt(query, 'payment_intent');
  return (item) =>
    item.created >= since &&
    (types.length === 0 || types.some((type) => type === Reflect.get(item, 'type'))) &&
    (intent === undefined || intent === Reflect.get(item, 'payment_intent'));
}
