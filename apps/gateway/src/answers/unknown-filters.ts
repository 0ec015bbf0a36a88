import { type ClosestValues, type NamedFilter } from '#contracts';

/** The header `x-filters-unknown`: a list of structured fields (RFC 9651), `country;closest="United Kingdom"`. */
export function unknownFiltersHeader(unknown: readonly NamedFilter[], closest: ClosestValues): string {
  return unknown
    .map((filter) => {
      const value = closest[filter];
      return value === undefined ? filter : `${filter};closest=${fieldText(value)}`;
    })
    .join(', ');
}

/** A String, or a Display String where a text has other characters than those of ASCII. */
function fieldText(text: string): string {
  if (/^[ -~]*$/.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`;
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== percent && byte !== quote
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`,
  );
  return `%"${bytes.join('')}"`;
}

const percent = 0x25;
const quote = 0x22;
