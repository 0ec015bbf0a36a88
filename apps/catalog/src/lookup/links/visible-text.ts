/** Characters that nobody sees: zero-width, bidirectional and control characters, soft hyphens, variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Most names: all of it is visible and has one form. */
const isPlain = /^[!-~]*$/;

const fullWidth = /[\uff01-\uff5e]/g;
/** From a full-width character to its ASCII one. */
const fullWidthShift = 0xfee0;

/** Longer than any name: giving accents one form takes time that grows with the square of their number. */
const lengthMax = 500;

/**
 * A name as somebody sees it, cut off where no name goes on: without invisible characters and surrounding space, and with one form for what Unicode holds
 * to be the same: the full-width `＠` is an `@`, an accent of its own the accented letter.
 */
export function visibleText(text: string): string {
  if (isPlain.test(text)) return text;
  return text.slice(0, lengthMax).replace(invisible, '').normalize('NFKC').trim();
}

/** The same for a link, whose percent-encoded characters must not be joined with what follows them. */
export function visibleLink(text: string): string {
  return text
    .replace(invisible, '')
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - fullWidthShift))
    .trim();
}
