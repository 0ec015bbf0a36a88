import { type JsonSchema } from '#contracts';

/** Keywords that a greater value makes wider; for `lower`, a smaller one. */
const upper = ['maximum', 'maxLength', 'maxItems'];
const lower = ['minimum', 'minLength', 'minItems'];
/** Keywords that are compared by a rule of their own, or say nothing about what is allowed. */
const ruled = new Set([
  ...[...upper, ...lower, 'type', 'enum', 'const', 'anyOf', 'items'],
  ...['required', 'properties', 'additionalProperties', 'default'],
]);

/**
 * What `to` allows and `from` does not, each as `payload.lots[].pack may be absent`. Fields that only `to` has don't count: a receiver ignores unknown fields.
 */
export function widenings(from: JsonSchema, to: JsonSchema, where: string): string[] {
  const known = alternativesOf(from);
  return alternativesOf(to).flatMap((wanted) => {
    const suitable = known.filter((one) => isOfSameKind(one, wanted));
    const differences = suitable.map((one) => widened(one, wanted, where));
    const [closest] = differences.toSorted((one, other) => one.length - other.length);
    return closest ?? [`${where} may be ${nameOf(wanted)}`];
  });
}

/** Fields of `from`, at any depth, that `to` does not have. */
export function missingFields(from: JsonSchema, to: JsonSchema, where: string): string[] {
  const later = propertiesOf(to);
  const inItems = from.items && to.items ? missingFields(from.items, to.items, `${where}[]`) : [];
  return Object.entries(propertiesOf(from)).reduce((found, [name, schema]) => {
    const path = `${where}.${name}`;
    const now = later[name];
    return [...found, ...(now ? missingFields(schema, now, path) : [`${path} is gone`])];
  }, inItems);
}

/** Splits a schema into one for each literal and each type that a value may be. */
function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf, type } = schema as { anyOf?: readonly JsonSchema[]; type?: string | readonly string[] };
  if (anyOf && type === undefined) return anyOf.flatMap(alternativesOf);
  if (schema.enum) return schema.enum.map((value) => ({ const: value }));
  if (Array.isArray(type)) return type.map((one: string) => ({ ...schema, type: one }));
  return [schema];
}

/** Whether `wanted` has to be compared with `known`: a literal with an equal one, an object with the one it is a version of. */
function isOfSameKind(known: JsonSchema, wanted: JsonSchema): boolean {
  if (known.type === undefined && !('const' in known)) return true;
  if ('const' in known) return 'const' in wanted && wanted.const === known.const;
  if ('const' in wanted) {
    return known.type === typeof wanted.const || (known.type === 'null' && wanted.const === null);
  }
  if (wanted.type === 'integer' && known.type === 'number') return true;
  if (wanted.type !== known.type) return false;
  return Object.entries(propertiesOf(known)).every(([name, { const: value }]) => {
    const other = propertiesOf(wanted)[name];
    return value === undefined || other === undefined || !('const' in other) || other.const === value;
  });
}

/** Finds widenings between two schemas of one kind. */
function widened(from: JsonSchema, to: JsonSchema, where: string): string[] {
  if ('const' in to || (from.type === undefined && !('const' in from))) return [];
  return [
    ...rulesWidened(from, to, where),
    ...fieldsWidened(from, to, where),
    ...innerWidened(from, to, where),
  ];
}

function rulesWidened(from: JsonSchema, to: JsonSchema, where: string): string[] {
  const number = (schema: JsonSchema, name: string, absent: number): number => Number(schema[name] ?? absent);
  const names = [
    ...upper.filter((name) => number(to, name, Infinity) > number(from, name, Infinity)),
    ...lower.filter((name) => number(to, name, -Infinity) < number(from, name, -Infinity)),
    ...Object.keys(from).filter(
      (name) => !ruled.has(name) && JSON.stringify(from[name]) !== JSON.stringify(to[name]),
    ),
  ];
  return names.map((name) => `${where} may have another ${name}`);
}

function fieldsWidened(from: JsonSchema, to: JsonSchema, where: string): string[] {
  const [required, still] = [requiredOf(from), requiredOf(to)];
  return Object.entries(propertiesOf(from)).flatMap(([name, schema]) => {
    const path = `${where}.${name}`;
    const other = propertiesOf(to)[name];
    return [
      ...(required.has(name) && !still.has(name) ? [`${path} may be absent`] : []),
      ...(other ? widenings(schema, other, path) : []),
    ];
  });
}

function innerWidened(from: JsonSchema, to: JsonSchema, where: string): string[] {
  const inner = (name: 'items' | 'additionalProperties', path: string): string[] => {
    const [known, wanted] = [from[name], to[name] ?? {}] as [JsonSchema | undefined, JsonSchema];
    return known ? widenings(known, wanted, path) : [];
  };
  return [...inner('items', `${where}[]`), ...inner('additionalProperties', `${where}[*]`)];
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function requiredOf({ required }: JsonSchema): ReadonlySet<string> {
  return new Set((required ?? []) as readonly string[]);
}

function nameOf(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  const literals = Object.entries(propertiesOf(schema)).filter(([, field]) => 'const' in field);
  const values = literals.map(([name, field]) => `${name} ${JSON.stringify(field.const)}`);
  return [`of type ${schema.type === undefined ? 'any' : String(schema.type)}`, ...values].join(', ');
}
