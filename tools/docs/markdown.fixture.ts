import { Anchors } from './site/anchors.js';

/** A link to a place of this project. */
export interface LocalLink {
  /** File as the link names it, without the anchor; empty for a link into the same page. */
  readonly file: string;
  readonly anchor: string | null;
}

const codeBlock = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2 *$/gm;
const inlineCode = /`[^`\n]*`/g;
const link = /\]\(([^)\s]+)\)/g;
const heading = /^#{1,6} +(.+?) *$/gm;
const explicitAnchor = /<a (?:id|name)="([^"]+)">/g;
const otherPlace = /^(?:[a-z]+:|\/\/)/i;

/** The links of a page that stay within this project. */
export function localLinks(markdown: string): LocalLink[] {
  const prose = markdown.replace(codeBlock, '').replace(inlineCode, '');
  return [...prose.matchAll(link)]
    .map(([, target = '']) => target)
    .filter((target) => !otherPlace.test(target))
    .map((target) => {
      const [file = '', anchor = null] = target.split('#');
      return { file, anchor };
    });
}

/** What links can point to on a page, as GitHub names it: the headings, numbered when they are the same. */
export function anchorsOf(markdown: string): Set<string> {
  const prose = markdown.replace(codeBlock, '');
  const anchors = new Set([...prose.matchAll(explicitAnchor)].map(([, name = '']) => name));
  const numbered = new Anchors();
  for (const [, text = ''] of prose.matchAll(heading)) anchors.add(numbered.next(text));
  return anchors;
}

const tableRow = /^\|(.+)\|$/gm;

/** The rows of the first table below a heading, each as its trimmed cells, without the head. */
export function tableBelow(markdown: string, title: string): string[][] {
  const start = [...markdown.matchAll(heading)].find(([, text]) => text === title)?.index;
  if (start === undefined) throw new Error(`there is no heading "${title}"`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(markdown.slice(start)) ?? [];
  return [...table.matchAll(tableRow)]
    .slice(2)
    .map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
}
