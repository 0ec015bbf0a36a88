import { countForms, parseCount } from './count.js';
import { type CellKind } from './fields.js';

interface CellReader {
  /** Gets a text that is trimmed and not empty; `undefined`: it is not of this kind. */
  readonly read: (text: string) => unknown;
  /** The rest of a sentence that begins with the field. */
  readonly rule?: string;
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

const readers: Readonly<Record<CellKind, CellReader>> = {
  // A spreadsheet wraps long texts.
  line: { read: (text) => text.replace(/\s*[\r\n]\s*/g, ' ') },
  text: { read: (text) => text },
  list: { read: splitList },
  flag: { read: (text) => flags[text.toLowerCase()], rule: 'must be true, false, yes, no, 1 or 0' },
  count: { read: parseCount, rule: `must be a number such as ${countForms}` },
};

/** What a cell says: nothing when it is empty, otherwise a value, or the rule that it breaks. */
export type CellReading = { readonly value: unknown } | { readonly broken: string };

export function readCell(kind: CellKind, cell: string): CellReading {
  const text = cell.trim();
  if (text === '') return { value: kind === 'list' ? [] : undefined };
  const { read, rule = '' } = readers[kind];
  const value = read(text);
  return value === undefined ? { broken: rule } : { value };
}

/** Items with `|` between them; without one `;`, without either a comma. */
function splitList(text: string): string[] {
  const separator = ['|', ';'].find((sign) => text.includes(sign)) ?? ',';
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
