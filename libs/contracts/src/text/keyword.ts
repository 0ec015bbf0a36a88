import { searchWords } from './fold.js';

const front = /^[@＠"'“”„‟«»‹›‘’‚‛′″´`＂＇,，、،]+/;
const end = /["'“”„‟«»‹›‘’‚‛′″´`＂＇,，、،]+$/;

/** The words of a keyword as they were written, without quotes and commas around each, and without `@` before it. */
export function keywordParts(keyword: string): string[] {
  return keyword
    .split(/\s+/u)
    .map((word) => word.replace(front, '').replace(end, ''))
    .filter((word) => word !== '');
}

/** Whether there is anything in a keyword that a search can find. */
export function isSearchable(keyword: string): boolean {
  return searchWords(keywordParts(keyword).join(' ')).length > 0;
}
