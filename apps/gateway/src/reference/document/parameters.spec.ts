import { ServiceError } from '@app/contracts';
import { type OperationObject, type ParameterObject, type SchemaObject } from 'openapi3-ts/oas31';
import { readUsageQuery } from '../../routes/get-usage/usage-query.js';
import { readCallsQuery } from '../../routes/list-calls/calls-query.js';
import { readSearchQuery } from '../../routes/search-creators/search-query.js';
import { basePath, describeApi } from './describe-api.js';
import { readExamples } from './examples.js';

const document = describeApi(readExamples());

type Parse = (url: string) => unknown;

/** What a route says against a query; nothing when it takes it. */
function problemsOf(parse: Parse, name: string, value: string): object | undefined {
  try {
    parse(`/x?${name}=${encodeURIComponent(value)}`);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details;
    throw error;
  }
}

/** Values at the edges of a schema, with whether it allows them. */
function edgesOf({
  minimum,
  maximum,
  maxLength,
  enum: choices,
  format,
  type,
}: SchemaObject): [string, boolean][] {
  const edges: [string, boolean][] = [];
  if (minimum !== undefined) edges.push([String(minimum), true], [String(minimum - 1), false]);
  if (maximum !== undefined) edges.push([String(maximum), true], [String(BigInt(maximum) + 1n), false]);
  if (type === 'integer') edges.push(['1.5', false], ['x', false]);
  if (maxLength !== undefined) edges.push(['ñ'.repeat(maxLength), true], ['ñ'.repeat(maxLength + 1), false]);
  for (const choice of choices ?? []) edges.push([String(choice), true], [`${choice}x`, false]);
  if (format === 'date') edges.push(['2026-01-31', true], ['2026-02-30', false], ['31.1.2026', false]);
  return edges;
}

function queryParametersOf(path: string): ParameterObject[] {
  const { parameters = [] } = document.paths?.[basePath + path]?.get as OperationObject;
  return (parameters as ParameterObject[]).filter((parameter) => parameter.in === 'query');
}

describe.each<[string, Parse]>([
  ['/search', readSearchQuery],
  ['/usage', (url) => readUsageQuery(url, new Date('2026-02-10T12:00:00Z'))],
  ['/calls', (url) => readCallsQuery(url, new Date('2026-02-10T12:00:00Z'))],
])('the parameters of %s', (path, parse) => {
  const parameters = queryParametersOf(path);
  const withRules = parameters.filter(({ schema }) => edgesOf(schema as SchemaObject).length > 0);

  it.each(withRules)('$name: the service takes and refuses what the document says', ({ name, schema }) => {
    const edges = edgesOf(schema as SchemaObject);
    const verdicts = edges.map(([value]) => [value, problemsOf(parse, name, value) === undefined]);
    expect(verdicts).toEqual(edges);
  });

  it('are all that the service knows, in its order', () => {
    const names = parameters.map(({ name }) => name).join(', ');
    expect(problemsOf(parse, 'colour', 'red')).toEqual({
      colour: [`not a known parameter; the parameters are ${names}`],
    });
  });
});
