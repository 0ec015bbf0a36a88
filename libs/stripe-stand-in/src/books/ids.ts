import { randomBytes } from 'node:crypto';

/** A new id as Stripe writes them: `ch_3Ab...`, `cs_test_a1B...`. */
export function newId(prefix: string): string {
  const letters = randomBytes(32)
    .toString('base64')
    .replace(/[^0-9A-Za-z]/g, '');
  return `${prefix}_${letters.slice(0, 24)}`;
}
