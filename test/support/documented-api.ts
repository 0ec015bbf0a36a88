import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  type HeaderObject,
  type HeadersObject,
  type OpenAPIObject,
  type OperationObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from 'openapi3-ts/oas31';
import { type Reply } from './http.js';

/** Headers of HTTP itself and of every answer: no operation has to name them. */
const generalHeaders = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'vary',
  'x-content-type-options',
]);
const apiPath = '/api/public/';
/** Statuses with which a server refuses a request whatever its operation. */
const refusals: readonly number[] = [405, 408, 414, 417, 431];

type Answer = Reply<unknown>;
type Maybe<Value> = Value | ReferenceObject | undefined;

/** Compares answers with an OpenAPI document: nothing in them may be missing from it, and nothing that it requires from them. */
export class DocumentedApi {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly paths: readonly { readonly pattern: RegExp; readonly path: string }[];

  constructor(private readonly document: OpenAPIObject) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ ...(closed(document) as OpenAPIObject), $id: 'openapi' });
    // A brace comes after every letter: a path without parameters is found before one that has them.
    const paths = Object.keys(document.paths ?? {}).toSorted();
    this.paths = paths.map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** What is wrong with the answer to this request, a sentence each. */
  problemsOf(method: string, url: string, answer: Answer): string[] {
    const [target = ''] = url.split('?');
    const { path } = this.paths.find(({ pattern }) => pattern.test(target)) ?? {};
    const operations = this.document.paths?.[path ?? ''] as Record<string, OperationObject> | undefined;
    const operation = operations?.[method.toLowerCase()];
    if (!operation || refusals.includes(answer.status)) {
      return this.problemsOfRefusal(method, target, answer);
    }
    const described = this.resolve<ResponseObject>(
      operation.responses?.[String(answer.status)] as ResponseObject,
    );
    if (!described) return [`status ${answer.status} is not documented`];
    return [...this.problemsOfHeaders(answer, described.headers), ...this.problemsOfBody(answer, described)];
  }

  /** No operation: an unknown path, another method, or a refusal of HTTP itself. */
  private problemsOfRefusal(method: string, path: string, { status, headers, body }: Answer): string[] {
    if (method === 'HEAD') return [];
    if (status < 400) return path.startsWith(apiPath) ? ['the operation is not documented'] : [];
    const kind = headers['content-type']?.startsWith('application/problem+json') ? 'Problem' : 'Error';
    const hasDetails = typeof body === 'object' && body !== null && 'details' in body;
    return this.validate(`#/components/schemas/${hasDetails ? `Validation${kind}` : kind}`, body, 'the body');
  }

  private problemsOfHeaders({ headers }: Answer, documented: HeadersObject = {}): string[] {
    const unknown = Object.keys(headers).filter((name) => !generalHeaders.has(name) && !documented[name]);
    const known = Object.entries(documented).flatMap(([name, reference]) => {
      const { required, schema } = this.resolve<HeaderObject>(reference) ?? {};
      const value = headers[name];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      const isNumber = (schema as SchemaObject | undefined)?.type === 'integer';
      const pointer = (reference as ReferenceObject).$ref;
      return this.validate(`${pointer}/schema`, isNumber ? Number(value) : value, `the header ${name}`);
    });
    return [...unknown.map((name) => `the header ${name} is not documented`), ...known];
  }

  private problemsOfBody({ headers, text, body }: Answer, { content }: ResponseObject): string[] {
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (!content) return text === '' ? [] : ['a body is not documented'];
    const schema = content[type]?.schema;
    if (!schema) return [`a body of the type ${type} is not documented`];
    return this.validate((schema as ReferenceObject).$ref, body, 'the body');
  }

  private validate(pointer: string, value: unknown, what: string): string[] {
    const known = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `openapi${pointer}` });
    this.validators.set(pointer, known);
    if (known(value)) return [];
    return (known.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private resolve<Value extends object>(value: Maybe<Value>): Value | undefined {
    if (!value || !('$ref' in value) || typeof value.$ref !== 'string') return value as Value | undefined;
    const steps = value.$ref.slice(2).split('/');
    return steps.reduce<unknown>((part, step) => Reflect.get(part as object, step), this.document) as Value;
  }
}

/** Returns the document with objects that have no other members than those they name. */
function closed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed);
  const members = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return 'properties' in part && !('additionalProperties' in part)
    ? { ...members, additionalProperties: false }
    : members;
}

const documented = new DocumentedApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject);

/** Throws for an answer of the public API that is not as docs/openapi.json says. */
export function assertDocumented(method: string, url: string, answer: Answer): void {
  const problems = documented.problemsOf(method, url, answer);
  if (problems.length === 0) return;
  const what = `${method} ${url} was answered with ${answer.status}`;
  throw new Error(`${what}, not as docs/openapi.json says:\n  ${problems.join('\n  ')}`);
}
