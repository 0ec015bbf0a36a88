const integers = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `2500` -> `2,500`. */
export function formatInteger(value: number): string {
  return integers.format(value);
}

/** `1 lot`, `2,500 lots`. */
export function formatCount(value: number, one: string): string {
  return `${formatInteger(value)} ${value === 1 ? one : `${one}s`}`;
}

/** US cents -> `$1,234.50`. */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

/** An ISO time -> `2026-01-31 12:00` (UTC). */
export function formatTime(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16).replace('T', ' ');
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
