import { invalidRequest } from '#http';
import { fieldsOf, isRecord, readShape, type ShapeClass, validationProblems } from '#contracts';
import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { RawQuery } from './raw-query.js';

/**
 * Reads `@Query()` and `@Body()` of a handler as the shape of the parameter's class. Throws `invalid_request` whose
 * `details` name everything that is wrong: invalid, missing, unknown and repeated fields.
 */
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'query' && type !== 'body') return value;
    const Class = metatype as ShapeClass | undefined;
    // `import { type SearchQuery }` leaves no class behind, and nothing would be validated.
    if (Class === undefined || fieldsOf(Class).size === 0) {
      throw new Error(`the ${type} of a handler has no shape`);
    }
    return value instanceof RawQuery ? readQuery(Class, value) : readBody(Class, value);
  }
}

/** A query as a shape. Throws `invalid_request`. */
export function readQuery<Shape extends object>(Class: ShapeClass<Shape>, query: RawQuery): Shape {
  const { values, problems } = query.valuesFor(Class);
  const { shape, details } = readShape(Class, values, {
    strict: false,
    fromQuery: true,
    problems,
    check: validationProblems,
  });
  if (details) throw invalidRequest(details);
  return shape;
}

class NoParameters {}

/** Throws `invalid_request` for a query where none is declared. */
export function refuseParameters({ query }: FastifyRequest): void {
  if (query instanceof RawQuery) readQuery(NoParameters, query);
}

/** A JSON body as a shape. Throws `invalid_request`. */
export function readBody<Shape extends object>(Class: ShapeClass<Shape>, body: unknown): Shape {
  const { shape, details } = readShape(Class, objectOf(body), { strict: true, check: validationProblems });
  if (details) throw invalidRequest(details);
  return shape;
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(body)) return body;
  throw invalidRequest({ body: ['the body must be a JSON object'] });
}
