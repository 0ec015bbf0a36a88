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
