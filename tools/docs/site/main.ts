// Writes the documentation that the gateway serves at /docs into dist/apps/gateway/docs: node dist/tools/docs/site/main.js
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from './anchors.js';
import { renderDocument, titleOf } from './layout.js';
import { renderSections } from './markdown.js';
import { operationsOf, readOpenApi } from './openapi-file.js';
import { type Page, pathOf, readPages } from './pages.js';
import { placeholders } from './placeholders.js';

const output = 'dist/apps/gateway/docs';
const website = 'apps/website/browser';

/** The look of the account pages, and what only these pages have. */
const styles = [
  ...['tokens', 'base', 'layout', 'components', 'forms', 'tables'].map((name) => `${website}/${name}.css`),
  'apps/gateway/browser/docs.css',
];

const groups = readPages();
const notFound: Page = {
  name: 'not-found',
  title: 'Page not found',
  markdown: '# Page not found\n\nThe documentation has no page at this address. [Overview](/docs)\n',
};
const pages = groups.flatMap((group) => group.pages);
const sections = Object.fromEntries(
  [...pages, notFound].map(({ name, markdown }) => [name, renderSections(markdown, name === 'reference')]),
);
const operations = new Map(
  operationsOf(readOpenApi()).map((operation) => [anchorOf(operation.summary), operation]),
);

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const write = (name: string, text: string): void => writeFileSync(join(output, name), text);
for (const page of [...pages, notFound]) {
  write(`${page.name}.html`, renderDocument({ page, groups, sections, operations }));
}
for (const { name, markdown } of pages) write(`${name}.md`, markdown);
write('llms.txt', listForModels());
write('docs.css', styles.map((file) => readFileSync(file, 'utf8')).join('\n'));
copyFileSync('apps/gateway/browser/docs.js', join(output, 'docs.js'));
copyFileSync(join(website, 'icon.svg'), join(output, 'icon.svg'));

/** Lists the pages as llmstxt.org describes, each as Markdown. */
function listForModels(): string {
  const { api, product } = placeholders;
  const lists = groups.map(({ title, pages: listed }) => {
    const links = listed.map((page) => `- [${titleOf(page)}](${api}${pathOf(page)}.md)`);
    return `## ${title}\n\n${links.join('\n')}`;
  });
  const machine = `## Optional\n\n- [OpenAPI 3.1](${api}/openapi.json)\n- MCP server: ${api}/mcp`;
  const summary = `> A paid JSON API that searches verified creators across YouTube, Instagram, TikTok, Facebook and X. Calls are paid with prepaid credits; a failed call costs nothing.`;
  return `${[`# ${product}`, summary, ...lists, machine].join('\n\n')}\n`;
}
