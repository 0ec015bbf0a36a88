import { type Field, fieldsOf, type JsonSchema, type ShapeClass, shapeOf } from './shape.js';

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
export function fieldSchema({ schema, of }: Field, write: WriteShape): JsonSchema {
  if (!of) return schema;
  return 'type' in schema ? { ...schema, items: write(of()) } : { ...write(of()), ...schema };
}

/** A shape and those within it, each once, in the order in which they are first named. */
export function shapesWithin(Class: ShapeClass, found: Set<ShapeClass> = new Set()): Set<ShapeClass> {
  if (found.has(Class)) return found;
  found.add(Class);
  for (const { of } of fieldsOf(Class).values()) if (of) shapesWithin(of(), found);
  return found;
}
