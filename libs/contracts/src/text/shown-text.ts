/**
 * Invisible characters, which can change how the text around them is shown: control of direction, zero width, fillers,
 * soft hyphens. Without the parts of letters and emoji: joiners, variation selectors, tags.
 */
const hidden =
  /(?![\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** White space, control characters and the empty cell of Braille. */
const blank = /[\s\p{Cc}\u2800]/u;
const joiner = /\p{Join_Control}/u;
const selector = /\p{Variation_Selector}/u;
const mark = /\p{M}/u;
/** Most texts. */
const isPlain = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * A text as people see it: without characters that hide or turn it, and without white space and control characters around it.
 * Empty when nothing in it can be seen. Control characters inside stay, for the rules of the field.
 */
export function shownText(text: string): string {
  if (isPlain.test(text)) return text;
  const shown = text.replace(hidden, '');
  if (!visible.test(shown)) return '';
  let start = 0;
  let end = shown.length;
  const isEdge = (at: number): boolean => blank.test(shown.charAt(at)) || joiner.test(shown.charAt(at));
  while (isEdge(start) || selector.test(shown.charAt(start))) start += 1;
  // A joiner after a mark forms the last letter of words in Indic scripts.
  const isLetter = (at: number): boolean => joiner.test(shown.charAt(at)) && mark.test(shown.charAt(at - 1));
  while (isEdge(end - 1) && !isLetter(end - 1)) end -= 1;
  return shown.slice(start, end);
}

/**
 * A text without the characters that change the direction of writing (Unicode's `Bidi_Control`): between them a name can be shown as
 * another one. Scripts that are written from right to left don't need them.
 */
export function withoutDirections(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
