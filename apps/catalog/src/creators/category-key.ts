import { foldText } from '@app/platform/threads';

/** A category's slug, whether it is given by name or by slug: `Food & Drink` and `food-drink` are the same (design 5). */
export function categoryKey(category: string): string {
  const folded = foldText(category);
  const slug = folded.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return (slug === '' ? folded : slug).normalize('NFC');
}
