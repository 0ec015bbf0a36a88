import { randomInt } from 'node:crypto';

/** A word that nothing else in the catalog holds: no vowels, so it can't be a part of a name either. */
export function randomWord(length = 12): string {
  const letters = 'bcdfghjklmnpqrstvwxz';
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}
