const integers = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `2500` -> `2,500`. */
export function formatInteger(value: number): string {
  return integers.format(value);
}

/** `2500` -> `+2,500`. */
export function formatSigned(value: number): string {
  return (value > 0 ? '+' : '') + formatInteger(value);
}

/** `1 lot`, `2,500 lots`; `entry` has a plural of its own. */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatInteger(value)} ${value === 1 ? one : many}`;
}

/** US cents -> `$1,234.50`. */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

/** An ISO time -> `2026-01-31 12:00` (UTC); nothing -> `-`. */
export function formatTime(iso: string | null | undefined): string {
  return iso ? new Date(iso).toISOString().slice(0, 16).replace('T', ' ') : '-';
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
