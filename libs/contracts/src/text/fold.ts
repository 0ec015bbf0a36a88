/**
 * Names the rule of `foldText` and the Unicode data that it was run with, which comes with Node.js. Of two versions the later one
 * is the greater string. What is folded under one is compared only with what is folded under the same.
 */
export const textVersion = `2/unicode-${process.versions.unicode ?? '0'}`;

/**
 * The one form in which strings are compared: without case, accents, vowel points and invisible characters, with plain quotes,
 * dashes, digits and white space. Vowel signs of Indic and South-East Asian scripts and the voicing of kana are letters'
 * parts and stay, and so do й, ў and ї (decision 0051). Idempotent, and linear in the length. Stored in columns; SQL's `lower`
 * and `unaccent` are never used, because they differ from this. A change of the rule raises `textVersion`.
 */
export function foldText(text: string): string {
  const folded = isPlain.test(text) ? text.toLowerCase() : foldLetters(text);
  return folded.replace(/\s+/gu, ' ').trim();
}

/** Matches most names: ASCII without the backtick, where nothing but case has to change. */
const isPlain = /^[\0-_a-\x7f]*$/;

function foldLetters(text: string): string {
  const bare = (text.length > 1_000 ? text.replace(endlessMarks, '$1') : text)
    .replace(quotes, plainSign)
    .normalize('NFKD')
    .replace(signs, plainSign)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(cyrillicLetters, (letter) => composed[letter] ?? letter)
    .replace(accents, '');
  if (isPlain.test(bare)) return bare;
  return bare.replace(replaceable, (sign) => letters[sign] ?? plainDigit(sign)).normalize('NFC');
}

/** No text has so many; NFKD takes time in proportion to the square of their number. */
const endlessMarks = /(\p{M}{30})\p{M}+/gu;

const plainSigns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('’‘ʻʼ′´`\u1ffd', (quote) => [quote, "'"])),
  ...Object.fromEntries(Array.from('“”„«»', (quote) => [quote, '"'])),
  ...{ '\u309b': '\u3099', '\u309c': '\u309a' },
};
const quoteSigns = Object.keys(plainSigns).join('');
/** Applied before NFKD, which makes a space of U+00B4 and of U+1FFD, its other encoding. */
const quotes = new RegExp(`[${quoteSigns}]`, 'g');
/** After NFKD, which makes quotes too. The tatweel is as good as invisible: it only makes a word longer. */
const signs = new RegExp(`[${quoteSigns}\\p{Pd}\\u2212\\p{Default_Ignorable_Code_Point}\\u0640]`, 'gu');
const isDash = /[\p{Pd}\u2212]/u;

function plainSign(sign: string): string {
  return plainSigns[sign] ?? (isDash.test(sign) ? '-' : '');
}

/* eslint-disable no-misleading-character-class -- classes of marks: none belongs to the sign before it */
/** Accents and vowel points of scripts that are read without them. */
const accent =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711\u0730-\u074a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/;
const accents = new RegExp(accent, 'g');

const composed: Readonly<Record<string, string>> = { и: 'й', у: 'ў', і: 'ї' };
/** Taken apart by NFKD, with or without further accents. */
const cyrillicLetters = new RegExp(`[иу](?=${accent.source}*\\u0306)|і(?=${accent.source}*\\u0308)`, 'g');
/* eslint-enable no-misleading-character-class */

/** Letters that Unicode does not decompose, and spellings of one Arabic letter. U+06D5 is what NFKD leaves of U+06C0. */
const letters: Readonly<Record<string, string>> = {
  ...{ ς: 'σ', ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe' },
  ...{ ħ: 'h', ŧ: 't', ŋ: 'n', ə: 'a', ɓ: 'b', ɗ: 'd', ƙ: 'k' },
  ...{ '\u06cc': '\u064a', '\u0649': '\u064a', '\u06d0': '\u064a', '\u06a9': '\u0643', '\u0671': '\u0627' },
  ...{ '\u0629': '\u0647', '\u06d5': '\u0647', '\u06c1': '\u0647', '\u06be': '\u0647' },
};
const replaceable = new RegExp(`[${Object.keys(letters).join('')}\\p{Nd}]`, 'gu');

const isDigit = /^\p{Nd}$/u;

/** Unicode encodes the digits of a script one after the other, from 0 to 9. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** The Latin letters and digits of a text as a slug, at most so long; empty for a text without any. */
export function slugOf(text: string, lengthMax: number): string {
  const words = foldText(text)
    .replaceAll("'", '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, lengthMax).replace(/-$/, '');
}

/**
 * The folded words of a keyword, a leading `@` of each dropped. Empty when nothing searchable is left.
 */
export function searchWords(keyword: string): string[] {
  return foldText(keyword)
    .split(' ')
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => !/^@*$/.test(word));
}

const quotesBefore = /^[@＠"'“”„‟«»‹›‘’‚‛′″´`＂＇,，、،]+/;
const quotesAfter = /["'“”„‟«»‹›‘’‚‛′″´`＂＇,，、،]+$/;

/** The words of a keyword as they were written, without quotes and commas around each, and without `@` before it. */
export function keywordParts(keyword: string): string[] {
  return keyword
    .split(/\s+/u)
    .map((word) => word.replace(quotesBefore, '').replace(quotesAfter, ''))
    .filter((word) => word !== '');
}

/** Whether there is anything in a keyword that a search can find. */
export function isSearchable(keyword: string): boolean {
  return searchWords(keywordParts(keyword).join(' ')).length > 0;
}
