import { readFileSync } from 'node:fs';

export type BlockLanguage = 'ts' | 'sh' | 'python' | 'json';

/** A piece of code on a page of the documentation. */
export interface CodeBlock {
  readonly page: string;
  readonly language: BlockLanguage;
  readonly code: string;
  /** Number of the block's first line on the page. */
  readonly line: number;
}

/** Any fence with what is behind it, so that a block in another language is noticed. */
const fenced = /^```(\w+)\n([\s\S]*?)^```$/gm;
const section = /^## .*$/gm;

/** The code blocks of a Markdown page, in all of it or in the section below a second heading. */
export function codeBlocksOf(page: string, heading?: string): CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  const [from, to] = heading === undefined ? [0, text.length] : boundsOf(text, heading);
  return [...text.matchAll(fenced)]
    .filter(({ index }) => index >= from && index < to)
    .map(({ 1: language, 2: code = '', index }) => ({
      page,
      language: language as BlockLanguage,
      code,
      line: text.slice(0, index).split('\n').length + 1,
    }));
}

function boundsOf(text: string, heading: string): [number, number] {
  const starts = [...text.matchAll(section)];
  const position = starts.findIndex(([line]) => line === `## ${heading}`);
  const [start, next] = [starts[position], starts[position + 1]];
  if (!start) throw new Error(`there is no heading "${heading}"`);
  return [start.index, next?.index ?? text.length];
}
