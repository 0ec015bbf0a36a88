import { readFileSync } from 'node:fs';
import {
  answerHeaders,
  answerHeadersOf,
  errorsOf,
  type Field,
  fieldSchema,
  fieldsOf,
  type Header,
  type JsonSchema,
  objectSchema,
  operationTags,
  type PublicError,
  publicErrors,
  type PublicOperation,
  publicOperations,
  requestHeaders,
  requestHeadersOf,
  type ShapeClass,
  shapeOf,
  shapesWithin,
} from '#contracts';

/** Answers of a real stack. */
export interface Examples {
  /** Bodies of successful calls, by operation and by the name of the example. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies of errors by status, as `application/json` and as `application/problem+json`. */
  readonly errors: Readonly<Record<string, { readonly json: unknown; readonly problem: unknown }>>;
  /** Values of headers by name. */
  readonly headers: Readonly<Record<string, string | number>>;
}

export const openapiFile = 'docs/openapi.json';

const json = 'application/json';
const problemJson = 'application/problem+json';

/** The OpenAPI 3.1 document of the public API. `introduction`: Markdown, what holds for every call. */
export function describeApi(introduction: string, examples: Examples): JsonSchema {
  const errors = Object.entries<PublicError>(publicErrors);
  return {
    openapi: '3.1.0',
    info: { title: 'Creator Search API', version: '1.0.0', description: introduction },
    // Relative to where the document came from, and so right behind every proxy.
    servers: [{ url: '/', description: 'The host that this document came from' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(operationTags).map(([name, description]) => ({ name, description })),
    paths: describePaths(examples),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'csk_...',
          description: 'Your private API key. It belongs on your server, never in a web page or an app.',
        },
      },
      schemas: describeShapes(),
      responses: Object.fromEntries(errors.map((entry) => describeError(entry, examples))),
      headers: mapValues<Header, JsonSchema>(answerHeaders, (header, name) => ({
        ...header,
        example: examples.headers[name],
      })),
    },
  };
}

function describePaths(examples: Examples): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of publicOperations) {
    const path = `/api/public/v1${operation.path}`;
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, examples) };
  }
  return paths;
}

function describeOperation(operation: PublicOperation, examples: Examples): JsonSchema {
  const { name, tag, summary, cost, description, params, query, body, answer } = operation;
  const parameters = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...requestHeadersOf(operation).map((header) => ({
      name: header,
      in: 'header',
      ...requestHeaders[header],
    })),
  ];
  const bodies = examples.answers[name] ?? {};
  const titled = mapValues(answer.examples, (title, example) => ({ summary: title, value: bodies[example] }));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: `${cost}\n\n${description}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { [json]: describeBody(body) } } } : {}),
    responses: {
      '200': {
        description: answer.description,
        headers: headersNamed(answerHeadersOf(operation, 200)),
        content: { [json]: { schema: reference(answer.shape), examples: titled } },
      },
      ...(answer.unchanged
        ? {
            '304': {
              description: 'The answer is as it was when it had the `etag` that was sent. Costs nothing.',
              headers: headersNamed(answerHeadersOf(operation, 304)),
            },
          }
        : {}),
      ...Object.fromEntries(
        errorsOf(operation).map((status) => [
          status,
          { $ref: `#/components/responses/${publicErrors[status].name}` },
        ]),
      ),
    },
  };
}

function parametersOf(Class: ShapeClass | undefined, place: 'path' | 'query'): JsonSchema[] {
  return Class ? [...fieldsOf(Class)].map(([name, field]) => parameterOf(name, field, place)) : [];
}

function parameterOf(name: string, field: Field, place: 'path' | 'query'): JsonSchema {
  const { description, example, ...schema } = fieldSchema(field, reference);
  return {
    name,
    in: place,
    ...(field.optional ? {} : { required: true }),
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/** A body with the examples of its fields as its example. */
function describeBody(Class: ShapeClass): JsonSchema {
  const examples = [...fieldsOf(Class)].map(([name, { schema }]) => [name, schema.example]);
  return { schema: reference(Class), example: Object.fromEntries(examples) as JsonSchema };
}

function describeError([status, error]: [string, PublicError], examples: Examples): [string, JsonSchema] {
  const { name, description, headers, shapes } = error;
  const [body, problem] = shapes.map(reference);
  const example = examples.errors[status];
  const content = {
    [json]: { schema: body, example: example?.json },
    [problemJson]: { schema: problem, example: example?.problem },
  };
  return [name, { description, headers: headersNamed(['x-request-id', ...headers]), content }];
}

/** Every shape of a body, by its name. Throws when two have the same. */
function describeShapes(): Record<string, JsonSchema> {
  const shapes = new Set<ShapeClass>();
  for (const { answer, body } of publicOperations) {
    for (const Class of body ? [body, answer.shape] : [answer.shape]) shapesWithin(Class, shapes);
  }
  for (const error of Object.values<PublicError>(publicErrors)) {
    error.shapes.forEach((one) => shapes.add(one));
  }
  const described: Record<string, JsonSchema> = {};
  for (const Class of shapes) {
    const { name } = shapeOf(Class);
    if (name in described) throw new Error(`two shapes are called ${name}`);
    const { properties, ...schema } = objectSchema(Class, reference);
    described[name] = { ...schema, properties: mapValues(properties, withoutExample) };
  }
  return described;
}

/** The examples of bodies are whole answers. */
function withoutExample(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'example'));
}

function reference(Class: ShapeClass): JsonSchema {
  return { $ref: `#/components/schemas/${shapeOf(Class).name}` };
}

function headersNamed(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

type Json = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The examples in the document as it is written. */
export function writtenExamples(): Examples {
  const { paths, components } = JSON.parse(readFileSync(openapiFile, 'utf8')) as JsonSchema;
  const { responses, headers } = components as Record<'responses' | 'headers', Json>;
  const contentOf = (answer: unknown): Json => (answer as { content: Json }).content;
  const answersOf = ({ method, path, name }: PublicOperation): [string, Record<string, unknown>] => {
    const described = (paths as Record<string, Json>)[`/api/public/v1${path}`]?.[method] as {
      responses: Json;
    };
    const examples = contentOf(described.responses['200'])[json]?.examples as Json;
    return [name, mapValues(examples, ({ value }) => value)];
  };
  return {
    answers: Object.fromEntries(publicOperations.map(answersOf)),
    errors: mapValues<PublicError, Examples['errors'][string]>(publicErrors, ({ name }) => {
      const content = contentOf(responses[name]);
      return { json: content[json]?.example, problem: content[problemJson]?.example };
    }),
    headers: mapValues(headers, ({ example }) => example as string | number),
  };
}
