const space = '[ \\u00a0\\u202f]';
const digits = /^\d+$/;
const grouped = new RegExp(`^[1-9]\\d{0,2}([,.]|${space})\\d{3}(?:\\1\\d{3})*$`);
const scaled = new RegExp(`^(\\d+)(?:[.,](\\d+))?${space}?([KMB])$`, 'i');

const zeros: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9 };

export const countForms = '1200, 1,200, 1.200, 1 200, 1.2M or 3,4K';

/**
 * A count as people write it; `undefined` for anything else, and for what has two meanings: `1,200K` may be 1,200 or
 * 1,200,000.
 */
export function parseCount(text: string): number | undefined {
  if (digits.test(text)) return exact(text);
  if (grouped.test(text)) return exact(text.replace(/\D/g, ''));
  const [, whole = '', fraction = '', suffix = ''] = scaled.exec(text) ?? [];
  const missing = (zeros[suffix.toUpperCase()] ?? -1) - fraction.length;
  return missing < 0 || fraction.length === 3 ? undefined : exact(whole + fraction + '0'.repeat(missing));
}

/** Never rounded. */
function exact(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
