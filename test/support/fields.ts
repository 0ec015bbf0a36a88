/** Field -> type of every field of an object, so that a test states presence, absence and type in one comparison. */
export function typesOf(value: object): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, typeOf(field)]));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'fraction';
  return typeof value;
}
