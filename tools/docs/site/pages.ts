import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Anchors } from './anchors.js';
import { readOpenApi } from './openapi-file.js';
import { placeholders } from './placeholders.js';
import { referencePage } from './reference.js';

/** A page of the documentation. */
export interface Page {
  /** The last part of its path; `index` for `/docs` itself. */
  readonly name: string;
  /** Its title in the navigation. */
  readonly title: string;
  readonly markdown: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** A file, or with `#` the section of a file that begins with this heading. */
type Source = readonly [name: string, title: string, source: string];

const groups: Readonly<Record<string, readonly Source[]>> = {
  'Get started': [
    ['index', 'Overview', 'docs/guides/README.md'],
    ['quickstart', 'Quickstart', 'docs/guides/quickstart.md'],
    ['test-keys', 'Test keys', 'docs/api.md#Test keys'],
    ['client', 'TypeScript client', 'libs/client/README.md'],
    ['mcp', 'MCP for agents', 'docs/api.md#MCP'],
  ],
  Guides: [
    ['export-a-search', 'Export a search', 'docs/guides/export-a-search.md'],
    ['find-creators-by-link', 'Find creators by links', 'docs/guides/find-creators-by-link.md'],
    ['keep-profiles-fresh', 'Keep profiles fresh', 'docs/guides/keep-profiles-fresh.md'],
    ['errors-and-retries', 'Errors and retries', 'docs/guides/errors-and-retries.md'],
    ['webhooks', 'Webhooks', 'docs/guides/webhooks.md'],
    ['examples-of-prices', 'Examples of prices', 'docs/guides/prices-and-limits.md'],
  ],
  'The API': [
    ['operations', 'Operations', 'docs/api.md#Operations'],
    ['prices', 'Prices', 'docs/api.md#What a call costs'],
    ['limits', 'Limits', 'docs/api.md#Limits'],
    ['errors', 'Errors', 'docs/api.md#Errors'],
    ['versions', 'Versions', 'docs/api.md#Versions and changes'],
  ],
};

/** Where other files that pages link to are; without a place the text of the link stays. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/openapi.json': '/openapi.json',
  'docs/api.md#a-client-for-typescript-and-javascript': '/docs/client',
};
const withoutPlace = ['CHANGELOG.md', 'libs/client/LICENSE'];

/** Every page in its group, as Markdown whose links are paths of the gateway. */
export function readPages(): PageGroup[] {
  const places = placesOf(Object.values(groups).flat());
  const written = Object.entries(groups).map(([title, sources]) => ({
    title,
    pages: sources.map(([name, page, source]) => {
      const [file = ''] = source.split('#');
      return { name, title: page, markdown: withPlaces(textOf(source), file, places) };
    }),
  }));
  const reference = { name: 'reference', title: 'All operations', markdown: referencePage(readOpenApi()) };
  return [...written, { title: 'Reference', pages: [reference] }];
}

/** The path of a page. */
export function pathOf({ name }: Pick<Page, 'name'>): string {
  return name === 'index' ? '/docs' : `/docs/${name}`;
}

/** The Markdown of a source without comments and parts for readers of the repository, with headings from the first level on. */
function textOf(source: string): string {
  const [file = '', title] = source.split('#');
  const text = readFileSync(file, 'utf8')
    .replace(/<!-- repository only -->[^]*?<!-- end -->\n*/g, '')
    .replace(/<!--.*?-->\n+/g, '')
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/api\.example\.com/g, placeholders.api);
  if (title === undefined) return text;
  const section = text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${title}\n`));
  if (section === undefined) throw new Error(`${file} has no section ${title}`);
  return section.replace(/^##/gm, '#');
}

/** The path for each file, and for each heading of a file: `docs/api.md#limits`. */
function placesOf(sources: readonly Source[]): Map<string, string> {
  const places = new Map(Object.entries(elsewhere));
  for (const [name, , source] of sources) {
    const [file = '', section] = source.split('#');
    if (section === undefined) places.set(file, pathOf({ name }));
    const anchors = new Anchors();
    for (const [index, [, text = '']] of [...textOf(source).matchAll(/^#{1,6} (.+)$/gm)].entries()) {
      const anchor = anchors.next(text);
      places.set(`${file}#${anchor}`, index === 0 ? pathOf({ name }) : `${pathOf({ name })}#${anchor}`);
    }
  }
  return places;
}

/** The Markdown with links to files and headings replaced by paths. Throws when a link leads nowhere. */
function withPlaces(markdown: string, file: string, places: ReadonlyMap<string, string>): string {
  return markdown.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
    if (/^[a-z]+:/.test(target)) return link;
    const [path = '', anchor] = target.split('#');
    const whole = path === '' ? file : join(dirname(file), path);
    if (withoutPlace.includes(whole)) return text;
    const place = places.get(anchor === undefined ? whole : `${whole}#${anchor}`);
    if (place === undefined) throw new Error(`${file}: the link to ${target} leads to no page`);
    return `[${text}](${place})`;
  });
}
