import {
  answerHeadersOf,
  errorsOf,
  type Field,
  fieldsOf,
  type JsonSchema,
  keyLimit,
  limitGroups,
  type PublicError,
  publicErrors,
  type PublicOperation,
  publicOperations,
  requestHeaders,
  requestHeadersOf,
  type ShapeClass,
  shapeOf,
  shapesWithin,
  toolOperations,
} from '#contracts';
import { rulesOf } from './rules.js';

/** The sections whose beginnings the OpenAPI document shows, too. */
const introduced = ['What a call costs', 'Limits', 'Errors'];

/** What a page says holds for every call, Markdown without links to other sections. */
export function introductionOf(page: string): string {
  const [, beginning = ''] = /^# .*\n\n([^]*?)\n\n/.exec(page) ?? [];
  const sections = page.split(/\n(?=## )/);
  const chosen = introduced.map((title) => {
    const section = sections.find((one) => one.startsWith(`## ${title}\n`));
    if (section === undefined) throw new Error(`the page has no section "${title}"`);
    return section.split(/\n### |\n<!-- /, 1)[0]?.trim() ?? '';
  });
  const text = [beginning, ...chosen].join('\n\n');
  return `${text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')}\n`;
}

/** The page with its generated blocks as the declarations say. */
export function apiPage(page: string): string {
  return page.replace(
    /(<!-- (\w+): written by npm run docs -->\n)[^]*?(<!-- end -->)/g,
    (_block, begin: string, name: string, end: string) => {
      const write = blocks[name];
      if (!write) throw new Error(`there is no generated block ${name}`);
      return `${begin}\n${write()}\n\n${end}`;
    },
  );
}

const blocks: Readonly<Record<string, () => string>> = {
  overview: () =>
    table(
      ['Operation', 'What it is for', 'Credits', 'Limit'],
      publicOperations.map((operation) => [
        `[${titleOf(operation)}](#${anchorOf(operation)})`,
        operation.summary,
        priceOf(operation),
        operation.limit
          ? `${keyLimit.calls} in ${keyLimit.seconds} s (\`${operation.limit}\`, for each ${limitGroups[operation.limit]})`
          : '',
      ]),
    ),
  operations: () => publicOperations.map(describe).join('\n\n'),
  errors: () =>
    table(
      ['Status', 'When', 'Additions'],
      Object.entries<PublicError>(publicErrors).map(
        ([
          status,
          {
            description,
            headers,
            shapes: [body],
          },
        ]) => [
          status,
          description,
          code([...fieldsOf(body).keys()].filter((name) => name !== 'error')),
          code(headers.filter((name) => !name.startsWith('ratelimit'))),
        ],
      ),
    ),
  tools: () =>
    table(
      ['Tool', 'As', 'Credits', 'Arguments'],
      toolOperations.map((operation) => [
        `\`${operation.tool.name}\``,
        titleOf(operation),
        priceOf(operation),
        code([...fieldsOf(operation.tool.arguments).keys()]),
      ]),
    ),
};

function describe(operation: PublicOperation): string {
  const { summary, cost, description, params, query, body, answer } = operation;
  const shapes = new Set([...(body ? shapesWithin(body) : []), ...shapesWithin(answer.shape)]);
  const headers = requestHeadersOf(operation).map((name) => [
    `\`${name}\``,
    'header',
    requestHeaders[name].description,
    '',
  ]);
  const parameters = [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...headers];
  return [
    `### ${titleOf(operation)}`,
    `${summary}. ${cost}`,
    description,
    ...(parameters.length > 0 ? [table(['Parameter', 'In', 'What it is', 'Rules'], parameters)] : []),
    ...[...shapes].map((Class) => fieldTable(Class, Class === answer.shape ? 'Answer' : shapeOf(Class).name)),
    `Headers: ${code(answerHeadersOf(operation, 200))}. Errors: ${errorsOf(operation).join(', ')}.`,
  ].join('\n\n');
}

function parametersOf(Class: ShapeClass | undefined, place: string): string[][] {
  if (!Class) return [];
  return [...fieldsOf(Class)].map(([name, { schema, optional }]) => [
    `\`${name}\``,
    optional ? place : `${place}, required`,
    schema.description ?? '',
    wordsOf(schema),
  ]);
}

function fieldTable(Class: ShapeClass, title: string): string {
  const rows = [...fieldsOf(Class)].map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    field.schema.description ?? '',
  ]);
  return table([title, 'Type', 'What it is'], rows);
}

/** The choices of a value, and its rules. */
function wordsOf(schema: JsonSchema): string {
  const choices = (schema.enum ?? []).filter((choice) => choice !== null);
  return [code(choices), rulesOf(schema)].filter((text) => text !== '').join('; ');
}

function typeOf({ schema, optional, of }: Field): string {
  const name = of ? shapeOf(of()).name : undefined;
  const items = name ?? schema.items?.type;
  const types = [schema.type ?? name]
    .flat()
    .map((type) => (type === 'array' ? `list of ${String(items)}` : type));
  const words = [types.join(' or '), wordsOf(schema), optional ? 'optional' : ''];
  return words.filter((text) => text !== '').join('; ');
}

const priceOf = ({ paid }: PublicOperation): string =>
  paid === undefined ? '0' : paid === 'search' ? '1, and 1 for each filter' : '1';

const titleOf = ({ method, path }: PublicOperation): string => `\`${method.toUpperCase()} ${path}\``;

/** As GitHub names the heading. */
const anchorOf = ({ method, path }: PublicOperation): string =>
  `${method} ${path}`.replaceAll(' ', '-').replace(/[^\w-]/g, '');

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s*\n+\s*/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
