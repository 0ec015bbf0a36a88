import { readFileSync } from 'node:fs';
import {
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
} from 'openapi3-ts/oas31';

export interface Operation extends OperationObject {
  readonly summary: string;
  readonly operationId: string;
  readonly parameters?: ParameterObject[];
  readonly method: string;
  readonly path: string;
}

export function readOpenApi(): OpenAPIObject {
  return JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;
}

/** All operations, in the order of their tags, and of each tag in the order of the document. */
export function operationsOf({ tags = [], paths = {} }: OpenAPIObject): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(
      ([method, operation]) => ({ ...operation, method, path }) as Operation,
    ),
  );
  return tags.flatMap(({ name }) => all.filter((operation) => operation.tags?.[0] === name));
}

/** What a reference within the document refers to; everything else as it is. */
export function resolve<Thing extends object>(
  thing: Thing | ReferenceObject,
  { components }: OpenAPIObject,
): Thing {
  if (!('$ref' in thing)) return thing;
  const [kind = '', name = ''] = thing.$ref.split('/').slice(2);
  return (components as Record<string, Record<string, Thing>>)[kind]?.[name] as Thing;
}
