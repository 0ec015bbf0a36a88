import { type ReferenceObject, type SchemaObject } from 'openapi3-ts/oas31';

type Schema = SchemaObject | ReferenceObject;

type OptionalFields<Shape> = {
  [Field in keyof Shape]-?: undefined extends Shape[Field] ? Field : never;
}[keyof Shape];

/**
 * The schema of a JSON object with the fields of `Shape`, all of them required but `optional`. A field that the type
 * has and the schema has not, or the other way round, does not compile.
 */
export function objectSchema<Shape extends object>(
  description: string,
  properties: { readonly [Field in keyof Shape]-?: Schema },
  optional: readonly OptionalFields<Shape>[] = [],
): SchemaObject {
  const optionalNames: readonly PropertyKey[] = optional;
  const required = Object.keys(properties).filter((name) => !optionalNames.includes(name));
  return { type: 'object', description, required, properties };
}

/** Refers to a schema by its name among the components. */
export function schemaNamed(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

export function listOf(items: Schema, description: string): SchemaObject {
  return { type: 'array', description, items };
}

export function text(description: string, rules: SchemaObject = {}): SchemaObject {
  return { type: 'string', description, ...rules };
}

export function oneOf(names: readonly string[], description: string): SchemaObject {
  return { type: 'string', description, enum: [...names] };
}

export function url(description: string): SchemaObject {
  return { type: 'string', format: 'uri', description };
}

/** An instant, ISO 8601 in UTC. */
export function time(description: string): SchemaObject {
  return { type: 'string', format: 'date-time', description };
}

/** A calendar day, UTC. */
export function day(description: string): SchemaObject {
  return { type: 'string', format: 'date', description };
}

export function id(description: string): SchemaObject {
  return { type: 'string', format: 'uuid', description };
}

export function yesOrNo(description: string): SchemaObject {
  return { type: 'boolean', description };
}

/** A whole number that JavaScript holds exactly, 0 or more. */
export function count(description: string): SchemaObject {
  return { type: 'integer', format: 'int64', description, minimum: 0 };
}
