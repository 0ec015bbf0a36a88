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
  type NoticeKind,
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

/** The answers in the documents, of a stack with the sample creators: tools/docs/examples.json, kept by hand. */
interface Examples {
  /** Bodies of successful calls, by operation and by the name of the example. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies of errors by status, as `application/json` and as `application/problem+json`. */
  readonly errors: Readonly<Record<string, { readonly json: unknown; readonly problem: unknown }>>;
  /** Values of headers by name. */
  readonly headers: Readonly<Record<string, string | number>>;
}

/** The others are only mailed. */
type WebhookKind = Exclude<NoticeKind, 'webhook_removed'>;

export const openapiFile = 'docs/openapi.json';
const examples = JSON.parse(readFileSync('tools/docs/examples.json', 'utf8')) as Examples;

const json = 'application/json';
const problemJson = 'application/problem+json';

/** The OpenAPI 3.1 document of the public API. `introduction`: Markdown, what holds for every call. */
export function describeApi(introduction: string): JsonSchema {
  const errors = Object.entries<PublicError>(publicErrors);
  return {
    openapi: '3.1.0',
    info: { title: 'Creator Search API', version: '1.0.0', description: introduction },
    // Relative to where the document came from, and so right behind every proxy.
    servers: [{ url: '/', description: 'The host that this document came from' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(operationTags).map(([name, description]) => ({ name, description })),
    paths: describePaths(),
    webhooks: mapValues(notices, describeNotice),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'csk_...',
          description:
            'Your private API key, or a test key (`csk_test_...`). It belongs on your server, never in a web page or an app.',
        },
      },
      schemas: describeShapes(),
      responses: Object.fromEntries(errors.map(describeError)),
      headers: mapValues<Header, JsonSchema>(answerHeaders, (header, name) => ({
        ...header,
        example: exampleAt(examples.headers[name], name),
      })),
    },
  };
}

const [text, integer, time] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'string', format: 'date-time' },
];
const amount = { type: ['integer', 'null'], description: 'US cents; null: paid in another currency.' };
const ofKey = {
  key_id: text,
  key_name: text,
  key_prefix: text,
  monthly_limit: integer,
  spent: integer,
  resets_at: time,
};

/** Each kind of notice that webhooks get: when, and its data besides the account. */
const notices: Readonly<
  Record<WebhookKind, readonly [when: string, data: Readonly<Record<string, JsonSchema>>]>
> = {
  balance_low: [
    'The balance has fallen below the threshold.',
    { credits_remaining: integer, threshold: integer },
  ],
  key_limit_near: ['A key has used most of its monthly limit.', ofKey],
  key_limit_reached: ['A key has reached its monthly limit.', ofKey],
  lot_expiring: [
    'Credits expire within three days.',
    { lot_id: text, pack: text, remaining: integer, expires_at: time },
  ],
  payment_received: [
    'A payment was received and its credits were added.',
    {
      ...{ order_id: text, pack: text, credits: integer, price_cents: integer },
      ...{ total_cents: amount, tax_cents: amount, expires_at: time },
    },
  ],
  test: ['An owner has sent a test.', {}],
};

function describeNotice([when, data]: (typeof notices)[WebhookKind], type: string): JsonSchema {
  const schema = objectOf({
    type: { const: type },
    timestamp: time,
    data: objectOf({ account_id: text, ...data }),
  });
  return {
    post: {
      operationId: `notice_${type}`,
      summary: when,
      description:
        'Signed as Standard Webhooks describes. Retried for three days; a 410 removes the webhook.',
      security: [],
      requestBody: { required: true, content: { [json]: { schema } } },
      responses: { '2XX': { description: 'The notice was received.' } },
    },
  };
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function describePaths(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of publicOperations) {
    const path = `/api/public/v1${operation.path}`;
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) };
  }
  return paths;
}

function describeOperation(operation: PublicOperation): JsonSchema {
  const { name, tag, summary, cost = '**Free.**', description, params, query, body, answer } = operation;
  const parameters = [
    ...parametersOf(params, 'path'),
    ...parametersOf(query, 'query'),
    ...requestHeadersOf(operation).map((header) => ({
      name: header,
      in: 'header',
      ...requestHeaders[header],
    })),
  ];
  const titled = mapValues(answer.examples, (title, example) => ({
    summary: title,
    value: exampleAt(examples.answers[name]?.[example], `${name}: ${example}`),
  }));
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

function describeError([status, error]: [string, PublicError]): [string, JsonSchema] {
  const { name, description, headers, shapes } = error;
  const [body, problem] = shapes.map(reference);
  const example = exampleAt(examples.errors[status], status);
  const content = {
    [json]: { schema: body, example: example.json },
    [problemJson]: { schema: problem, example: example.problem },
  };
  return [name, { description, headers: headersNamed(['x-request-id', ...headers]), content }];
}

/** Throws when there is no such example. */
function exampleAt<Example>(example: Example | undefined, what: string): Example {
  if (example === undefined) throw new Error(`tools/docs/examples.json has no example of ${what}`);
  return example;
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

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
