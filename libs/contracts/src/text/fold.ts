const letterReplacements: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
};

const replaceable = /[łøđðþæœ]/g;

/**
 * The one form in which strings are compared: compatibility-decomposed, without marks or case, with basic letters for
 * the Latin letters that Unicode does not decompose, and with white space collapsed. Idempotent. Stored in columns;
 * SQL's `lower` and `unaccent` are never used, because they differ from this.
 */
export function foldText(text: string): string {
  const folded = isAscii.test(text) ? text.toLowerCase() : foldLetters(text);
  return folded.replace(/\s+/gu, ' ').trim();
}

/** Matches most names: nothing to decompose, and no letter with more than two cases. */
const isAscii = /^\p{ASCII}*$/u;

function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(replaceable, (letter) => letterReplacements[letter] ?? letter);
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
