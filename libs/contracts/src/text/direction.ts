/**
 * A text without the characters that change the direction of writing (Unicode's `Bidi_Control`): between them a name can be shown as
 * another one. Scripts that are written from right to left don't need them.
 */
export function withoutDirections(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
