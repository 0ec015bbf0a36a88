import {
  fieldsOf,
  keyLimit,
  limitGroups,
  type PublicError,
  publicErrors,
  type PublicOperation,
  publicOperations,
  toolOperations,
} from '#contracts';

/** The sections whose beginnings the OpenAPI document shows, too. */
const introduced = ['Test keys', 'What a call costs', 'Limits', 'Errors'];

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
      ['Operation', 'What it is for', 'Parameters', 'Credits', 'Limit'],
      publicOperations.map((operation) => [
        titleOf(operation),
        operation.summary,
        code(operation.query ? [...fieldsOf(operation.query).keys()] : []),
        priceOf(operation),
        operation.limit
          ? `${keyLimit.calls} in ${keyLimit.seconds} s (\`${operation.limit}\`, for each ${limitGroups[operation.limit]})`
          : '',
      ]),
    ),
  errors: () =>
    table(
      ['Status', 'When', 'Fields', 'Headers'],
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

const prices = { search: '1, and 1 for each filter', profile: '1', profiles: '1 for each found' };
const priceOf = ({ paid }: PublicOperation): string => (paid === undefined ? '0' : prices[paid]);

const titleOf = ({ method, path }: PublicOperation): string => `\`${method.toUpperCase()} ${path}\``;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s*\n+\s*/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
