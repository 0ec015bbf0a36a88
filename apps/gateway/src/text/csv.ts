const lineEnd = '\r\n';

/** One line of CSV (RFC 4180). */
export function csvLine(values: readonly (string | number | null)[]): string {
  return values.map(csvField).join(',') + lineEnd;
}

/** Quotes a field where needed, and escapes one that a spreadsheet would run as a formula. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
