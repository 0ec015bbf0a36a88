/** A value of a row for COPY; a list is an array of strings. */
export type CopyValue = string | number | boolean | null | readonly string[];

/** Values of a row in the text format of COPY; a row ends with a line feed. */
export function copyFields(values: readonly CopyValue[]): string {
  return values.map(copyField).join('\t');
}

function copyField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'object') return escaped(arrayLiteral(value));
  return String(value);
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign) : text;
}

/** Every element is quoted, so that none is read as NULL or as array syntax. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
