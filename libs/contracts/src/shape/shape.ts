import { type ErrorDetails } from '../errors.js';

/** A JSON Schema (2020-12), as OpenAPI 3.1 and MCP have it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

export type ShapeClass<Shape extends object = object> = new () => Shape;

/** One field of a shape: what its decorator declared, for validation and for every document. */
export interface Field {
  /** With the description and the example. */
  readonly schema: JsonSchema;
  readonly optional: boolean;
  /** The value of an absent field. */
  readonly default?: unknown;
  /** What is wrong with a value: the rest of a sentence that begins with the field's name. `null`: it is valid. */
  readonly problem: (value: unknown) => string | null;
  /** The value that the text of a query parameter means; default: the text itself. */
  readonly parse?: (text: string) => unknown;
  /** Applied before validation, for example to trim. */
  readonly clean?: (value: unknown) => unknown;
  /** The shape of the value or, in a list, of each item. A function, since classes may refer to later ones. */
  readonly shape?: () => ShapeClass;
  /** What each item of a list must be, where one that is no object is named by its own path. */
  readonly itemRule?: string;
}

interface ShapeOptions<Shape> {
  /** The name in documents; default: the name of the class. */
  readonly name?: string;
  /** Added to the schema. */
  readonly schema?: JsonSchema;
  /** A rule between fields that are valid by themselves: what is wrong, by field. */
  readonly crossFieldRule?: (shape: Shape) => ErrorDetails | null;
}

export interface DescribedShape extends ShapeOptions<never> {
  readonly name: string;
  readonly description: string;
}

const fields = new WeakMap<object, Map<string, Field>>();
const shapes = new WeakMap<object, DescribedShape>();

/** Declares what a class of `@Text`, `@Integer`... fields is. Two classes may not share a name in one document. */
export function Shape<Type extends object>(
  description: string,
  options: ShapeOptions<Type> = {},
): (target: ShapeClass<Type>) => void {
  return (target) => {
    shapes.set(target, { name: target.name, description, ...options });
  };
}

/** The declaration of a class; a class without `@Shape` has its own name and no description. */
export function shapeOf(Class: ShapeClass): DescribedShape {
  return shapes.get(Class) ?? { name: Class.name, description: '' };
}

/** Adds a field to the class of `prototype`; a field of the same name in a parent class is replaced. */
export function addField(prototype: object, name: string, field: Field): void {
  const own = fields.get(prototype) ?? new Map<string, Field>();
  fields.set(prototype, own.set(name, field));
}

const collected = new WeakMap<ShapeClass, ReadonlyMap<string, Field>>();

/** The fields of a class in the order of their declaration, its parents' first; empty for a class without. */
export function fieldsOf(Class: ShapeClass): ReadonlyMap<string, Field> {
  const known = collected.get(Class);
  if (known) return known;
  const parent = Object.getPrototypeOf(Class.prototype) as object | null;
  // `Object` itself, the type of a parameter that has no class, has no parent.
  const isLast = parent === null || parent === Object.prototype;
  const inherited = isLast ? [] : fieldsOf(parent.constructor as ShapeClass);
  const all = new Map([...inherited, ...(fields.get(Class.prototype as object) ?? [])]);
  collected.set(Class, all);
  return all;
}

/** A class with the fields of two others. */
export function Both<One extends object, Other extends object>(
  One: ShapeClass<One>,
  Other: ShapeClass<Other>,
): ShapeClass<One & Other> {
  const Base: ShapeClass = One;
  class Combined extends Base {}
  for (const [name, field] of fieldsOf(Other)) addField(Combined.prototype, name, field);
  return Combined as ShapeClass<One & Other>;
}

/** How a document writes a shape within another one: as a reference, or in full. */
type WriteShape = (Class: ShapeClass) => JsonSchema;

interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema of the objects of a shape. */
export function objectSchema(Class: ShapeClass, write: WriteShape): ObjectSchema {
  const fields = [...fieldsOf(Class)];
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name);
  const { description, schema } = shapeOf(Class);
  return {
    ...schema,
    type: 'object',
    ...(description === '' ? {} : { description }),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field, write)])),
  };
}

/** The JSON Schema of one field. */
export function fieldSchema({ schema, shape }: Field, write: WriteShape): JsonSchema {
  if (!shape) return schema;
  return 'type' in schema ? { ...schema, items: write(shape()) } : { ...write(shape()), ...schema };
}

/** A shape and those within it, each once, in the order in which they are first named. */
export function shapesWithin(Class: ShapeClass, found: Set<ShapeClass> = new Set()): Set<ShapeClass> {
  if (found.has(Class)) return found;
  found.add(Class);
  for (const { shape } of fieldsOf(Class).values()) if (shape) shapesWithin(shape(), found);
  return found;
}
