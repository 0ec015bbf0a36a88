import { type OpenApi, type Operation, operationsOf, type Response, type Schema } from './openapi-file.js';
import { anchorOf } from './anchors.js';
import { samplesOf } from './samples.js';

/** The page about every operation, Markdown made from the OpenAPI document. */
export function referencePage(api: OpenApi): string {
  const [introduction = ''] = api.info.description.split('\n\n');
  const headers = Object.entries(api.components.headers).map(
    ([name, { description }]) => `- \`${name}\`: ${description}`,
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

function describe(operation: Operation, api: OpenApi): string {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation;
  const { 200: success, ...others } = responses;
  const fieldsOf = (schema: Schema | undefined): string => fieldList(schema, api, '');
  const sections = {
    Parameters: parameters
      .map(({ name, in: place, required = false, schema, description: what }) => {
        const kind = [kindOf(schema), place === 'query' ? '' : place, required ? 'required' : 'optional'];
        return item(name, [...kind, boundsOf(schema)], what);
      })
      .join('\n'),
    'Request body': fieldsOf(requestBody?.content['application/json'].schema),
    Response: fieldsOf(success?.content?.['application/json'].schema),
    'Response headers': linksTo(Object.keys(success?.headers ?? {})),
    'Other statuses': Object.entries(others)
      .map(([status, response]) => `- \`${status}\` ${resolve(response, api).description}`)
      .join('\n'),
  };
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    ...Object.entries(sections).flatMap(([title, text]) => (text === '' ? [] : [`### ${title}`, text])),
    samplesOf(operation),
    examplesOf(success),
  ].join('\n\n');
}

function examplesOf(response: Response | undefined): string {
  return Object.values(response?.content?.['application/json'].examples ?? {})
    .map(({ summary, value }) => {
      const title = `200: ${summary.replaceAll('`', '')}`;
      return `\`\`\`json ${title}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}

/** The fields of a shape and of the shapes in it, as a list of lists. */
function fieldList(schema: Schema | undefined, api: OpenApi, indent: string): string {
  const { properties = {}, required = [] } = shapeOf(schema, api);
  return Object.entries(properties)
    .map(([name, field]) => {
      const always = required.includes(name) ? '' : 'optional';
      const line = item(name, [kindOf(field), always, boundsOf(field)], field.description ?? '');
      const inner = fieldList(field, api, `${indent}  `);
      return `${indent}${line}${inner === '' ? '' : `\n${inner}`}`;
    })
    .join('\n');
}

/** The object that a schema is, or that its items are. */
function shapeOf(schema: Schema | undefined, api: OpenApi): Schema {
  const inner = schema?.items ?? schema ?? {};
  return inner.$ref === undefined ? inner : (api.components.schemas[nameIn(inner.$ref)] ?? {});
}

function resolve(response: Response, api: OpenApi): Response {
  return response.$ref === undefined
    ? response
    : (api.components.responses[nameIn(response.$ref)] ?? response);
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function item(name: string, kind: readonly string[], description: string): string {
  return `- \`${name}\` *${kind.filter(Boolean).join(', ')}* ${description.replace(/\s*\n+\s*/g, ' ')}`;
}

function kindOf({ type, $ref, items, enum: values }: Schema): string {
  if ($ref !== undefined) return 'object';
  if (values) return values.map((value) => `\`${value}\``).join(' or ');
  if (items) return `list of ${kindOf(items)}s`;
  return [type ?? 'object'].flat().join(' or ');
}

function boundsOf({ minimum, maximum, default: fallback }: Schema): string {
  const isBounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  const bounds = isBounded ? `${minimum ?? 0} to ${maximum}` : '';
  return [bounds, fallback === undefined ? '' : `default ${fallback}`].filter(Boolean).join(', ');
}

function linksTo(headers: readonly string[]): string {
  return headers.map((name) => `[\`${name}\`](#${anchorOf('Response headers')})`).join(', ');
}
