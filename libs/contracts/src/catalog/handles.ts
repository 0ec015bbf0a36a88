import { type Platform } from './profiles.js';

/** Longer than some platforms allow today: old accounts keep their names. */
const rules: Readonly<Record<Platform, { readonly pattern: RegExp; readonly what: string }>> = {
  // YouTube takes the letters of many scripts.
  youtube: { pattern: /^[\p{L}\p{M}\p{N}_.·-]{1,30}$/u, what: '1 to 30 letters, digits and _ . - ·' },
  instagram: { pattern: /^[\w.]{1,30}$/, what: '1 to 30 of the characters A-Z, a-z, 0-9, _ and .' },
  tiktok: { pattern: /^[\w.]{1,30}$/, what: '1 to 30 of the characters A-Z, a-z, 0-9, _ and .' },
  // A page without a name of its own is called by its title and its number.
  facebook: { pattern: /^[\p{L}\p{M}\p{N}_.-]{1,100}$/u, what: '1 to 100 letters, digits and _ . -' },
  x: { pattern: /^\w{1,20}$/, what: '1 to 20 of the characters A-Z, a-z, 0-9 and _' },
};
const name = /[\p{L}\p{N}_]/u;
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What is wrong with a handle without its `@`, as the rest of a sentence; `null` when its platform allows it. */
export function handleProblem(platform: Platform, handle: string): string | null {
  if (rounded.test(handle)) return 'was rounded by a spreadsheet; give the whole number';
  const { pattern, what } = rules[platform];
  return pattern.test(handle) && name.test(handle) ? null : `must consist of ${what}`;
}
