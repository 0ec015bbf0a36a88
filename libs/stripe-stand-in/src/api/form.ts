import { RefusedRequest } from '../books/stand-in-error.js';

/** A form as Stripe's libraries send it: `a[b][0]=c` is `{a: {b: {0: 'c'}}}`. */
export interface FormTree {
  [name: string]: FormTree | string;
}

/** Reads a form or a query string. Names that could change an object's prototype are left out. */
export function readForm(text: string): FormTree {
  const root = emptyTree();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop();
    if (last === undefined) continue;
    const parent = path.reduce<FormTree>((tree, part) => {
      const inner = tree[part];
      if (typeof inner === 'object') return inner;
      return (tree[part] = emptyTree());
    }, root);
    parent[last] = value;
  }
  return root;
}

/** The value at `a.b.0`; `undefined` when there is none or when it is not a single value. */
export function textAt(form: FormTree, path: string): string | undefined {
  const found = at(form, path);
  return typeof found === 'string' ? found : undefined;
}

/** The values below `a.b`, by name; empty when there are none. */
export function textsAt(form: FormTree, path: string): Record<string, string> {
  const found = at(form, path);
  if (typeof found !== 'object') return {};
  const texts = Object.entries(found).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string';
  });
  return Object.fromEntries(texts);
}

function at(form: FormTree, path: string): FormTree | string | undefined {
  return path.split('.').reduce<FormTree | string | undefined>((tree, part) => {
    return typeof tree === 'object' ? tree[part] : undefined;
  }, form);
}

/** Without a prototype, so that `__proto__` is a name like others. */
function emptyTree(): FormTree {
  return Object.create(null) as FormTree;
}

/** Refuses a form with other parameters than these. */
export function refuseUnknown(form: FormTree, known: ReadonlySet<string>): void {
  const unknown = Object.keys(form).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(unknown, `Received unknown parameter: ${unknown}`);
}

/** A number without a sign. Throws when there is none, or something else. */
export function integer(text: string | undefined, name: string): number {
  if (text === undefined) return missing(name);
  if (!/^\d{1,12}$/.test(text)) throw invalid(name, `Invalid integer: ${text}`);
  return Number(text);
}

/** A number above 0, if one was sent. */
export function amountAt(form: FormTree, name: string): number | undefined {
  const text = textAt(form, name);
  if (text === undefined) return undefined;
  const amount = integer(text, name);
  if (amount > 0) return amount;
  throw invalid(name, 'This value must be greater than or equal to 1.');
}

/** `true` or `false`, if one was sent. */
export function booleanAt(form: FormTree, name: string): boolean | undefined {
  const text = textAt(form, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid(name, `Invalid boolean: ${text}`);
}

export function missing(name: string): never {
  throw invalid(name, `Missing required param: ${name}.`);
}

export function invalid(param: string, message: string): RefusedRequest {
  return new RefusedRequest(400, message, { param });
}
