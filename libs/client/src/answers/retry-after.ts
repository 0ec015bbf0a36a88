/**
 * Seconds that a `Retry-After` header asks for: a number of them or a date. `null` without a header, or when it is
 * neither.
 */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
