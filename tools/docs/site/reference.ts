import {
  type ExampleObject,
  type HeaderObject,
  type OpenAPIObject,
  type ReferenceObject,
  type ResponseObject,
  type SchemaObject,
} from 'openapi3-ts/oas31';
import { anchorOf } from './anchors.js';
import { type Operation, operationsOf, resolve } from './openapi-file.js';
import { samplesOf } from './samples.js';

type Schema = SchemaObject | ReferenceObject;

/** The page about every operation, Markdown made from the OpenAPI document. */
export function referencePage(api: OpenAPIObject): string {
  const [introduction = ''] = api.info.description?.split('\n\n') ?? [];
  const headers = Object.entries(api.components?.headers ?? {}).map(
    ([name, header]) => `- \`${name}\`: ${(header as HeaderObject).description}`,
  );
  return [
    '# API reference',
    introduction,
    '[Prices](/docs/prices), [limits](/docs/limits) and [errors](/docs/errors) have pages of their own. Generators read [the OpenAPI document](/openapi.json).',
    ...operationsOf(api).map((operation) => describe(operation, api)),
    '## Response headers',
    headers.join('\n'),
    '',
  ].join('\n\n');
}

function describe(operation: Operation, api: OpenAPIObject): string {
  const { method, path, summary, description, parameters = [], responses = {} } = operation;
  const { 200: success, ...others } = responses as Record<string, ResponseObject>;
  const body = operation.requestBody as ResponseObject | undefined;
  const fieldsOf = (schema: Schema | undefined): string => fieldList(schema, api, '');
  const sections = {
    Parameters: parameters
      .map(({ name, in: place, required = false, schema = {}, description = '' }) => {
        const kind = [kindOf(schema), place === 'query' ? '' : place, required ? 'required' : 'optional'];
        return item(name, [...kind, boundsOf(schema as SchemaObject)], description);
      })
      .join('\n'),
    'Request body': fieldsOf(jsonOf(body)?.schema),
    Response: fieldsOf(jsonOf(success)?.schema),
    'Response headers': linksTo(Object.keys(success?.headers ?? {})),
    'Other statuses': Object.entries(others)
      .map(([status, response]) => `- \`${status}\` ${resolve<ResponseObject>(response, api).description}`)
      .join('\n'),
  };
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description ?? '',
    ...Object.entries(sections).flatMap(([title, text]) => (text === '' ? [] : [`### ${title}`, text])),
    samplesOf(operation),
    examplesOf(success),
  ].join('\n\n');
}

const jsonOf = (body: ResponseObject | undefined) => body?.content?.['application/json'];

function examplesOf(response: ResponseObject | undefined): string {
  return Object.values((jsonOf(response)?.examples ?? {}) as Record<string, ExampleObject>)
    .map(({ summary = '', value }) => {
      const title = `200: ${summary.replaceAll('`', '')}`;
      return `\`\`\`json ${title}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}

/** The fields of a shape and of the shapes in it, as a list of lists. */
function fieldList(schema: Schema | undefined, api: OpenAPIObject, indent: string): string {
  const { properties = {}, required = [] } = shapeOf(schema, api);
  return Object.entries(properties)
    .map(([name, field]) => {
      const always = required.includes(name) ? '' : 'optional';
      const line = item(
        name,
        [kindOf(field), always, boundsOf(field as SchemaObject)],
        field.description ?? '',
      );
      const inner = fieldList(field, api, `${indent}  `);
      return `${indent}${line}${inner === '' ? '' : `\n${inner}`}`;
    })
    .join('\n');
}

/** The object that a schema is, or that its items are. */
function shapeOf(schema: Schema = {}, api: OpenAPIObject): SchemaObject {
  return resolve<SchemaObject>(('items' in schema && schema.items) || schema, api);
}

function item(name: string, kind: readonly string[], description: string): string {
  return `- \`${name}\` *${kind.filter(Boolean).join(', ')}* ${description.replace(/\s*\n+\s*/g, ' ')}`;
}

function kindOf(schema: Schema): string {
  if ('$ref' in schema) return 'object';
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (schema.items) return `list of ${kindOf(schema.items)}s`;
  return [schema.type ?? 'object'].flat().join(' or ');
}

function boundsOf({ minimum = 0, maximum = Infinity, default: fallback }: SchemaObject): string {
  const bounds = maximum < Number.MAX_SAFE_INTEGER ? `${minimum} to ${maximum}` : '';
  return [bounds, fallback === undefined ? '' : `default ${fallback}`].filter(Boolean).join(', ');
}

function linksTo(headers: readonly string[]): string {
  return headers.map((name) => `[\`${name}\`](#${anchorOf('Response headers')})`).join(', ');
}
