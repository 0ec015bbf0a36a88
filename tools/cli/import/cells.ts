import { type CreatorRecord, type Platform, type PlatformAccountRecord, platforms } from '#contracts';

/** How the text of a cell becomes the value of a field. */
export type CellKind = 'line' | 'text' | 'list' | 'flag' | 'count';

/** The fields of a creator that a cell can hold. */
export const creatorFields = {
  slug: 'line',
  name: 'line',
  tagline: 'text',
  country: 'line',
  languages: 'list',
  categories: 'list',
  verified: 'flag',
  website: 'line',
  published: 'flag',
} as const satisfies Readonly<Record<Exclude<keyof CreatorRecord, 'platforms'>, CellKind>>;

/** The fields of an account on a platform; a table names them `youtube.handle`. */
export const accountFields = {
  handle: 'line',
  url: 'line',
  followers: 'count',
  updated_at: 'line',
} as const satisfies Readonly<Record<Exclude<keyof PlatformAccountRecord, 'platform'>, CellKind>>;

type AccountField = keyof typeof accountFields;
export type FieldName = keyof typeof creatorFields | `${Platform}.${AccountField}`;

export function accountField(platform: Platform, field: AccountField): FieldName {
  return `${platform}.${field}`;
}

/** Every field that a table can give, and how its cells are read. */
const kinds: Readonly<Record<string, CellKind>> = {
  ...creatorFields,
  ...Object.fromEntries(
    platforms.flatMap((platform) =>
      keysOf(accountFields).map((field) => [accountField(platform, field), accountFields[field]]),
    ),
  ),
};

export function isField(name: string): name is FieldName {
  return Object.hasOwn(kinds, name);
}

/** `handle`, `followers`: the field of an account without its platform. */
export function isAccountField(name: string): name is AccountField {
  return Object.hasOwn(accountFields, name);
}

/** Whether a field may have several columns. */
export function isList(field: FieldName): boolean {
  return kinds[field] === 'list';
}

const nothing = new Set(['', 'n/a', 'na', 'nan', '-', '#n/a', 'null', 'none']);

/** Whether a cell says that there is nothing. Of accounts and counts, something may be unknown; a country is "Unknown". */
export function isEmptyCell(field: FieldName, text: string, more: readonly string[]): boolean {
  const word = text.toLowerCase();
  return nothing.has(word) || more.includes(text) || (word === 'unknown' && field.includes('.'));
}

/** The keys of an object that has no others. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(object) as Key[];
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** What a cell says: nothing when it is empty, otherwise a value, or the rest of a sentence that begins with the field. */
export type CellReading = { readonly value: unknown } | { readonly broken: string };

export function readCell(field: FieldName, cell: string): CellReading {
  const text = cell.trim();
  const kind = kinds[field];
  if (text === '') return { value: kind === 'list' ? [] : undefined };
  // A spreadsheet wraps long texts.
  if (kind === 'line') return { value: text.replace(/\s*[\r\n]\s*/g, ' ') };
  if (kind === 'list') return { value: splitList(text) };
  if (kind === 'text') return { value: text };
  const isFlag = kind === 'flag';
  const value = isFlag ? flags[text.toLowerCase()] : parseCount(text);
  const rule = isFlag ? 'true, false, yes, no, 1 or 0' : `a number such as ${countForms}`;
  return value === undefined ? { broken: `must be ${rule}` } : { value };
}

/** Items with `|` between them; without one `;`, without either a comma. */
function splitList(text: string): string[] {
  const separator = ['|', ';'].find((sign) => text.includes(sign)) ?? ',';
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const space = '[ \\u00a0\\u202f]';
/** A whole number, also as a program writes one that may have a fraction: `1200.0`. */
const plain = /^\d+(?:\.0{1,2})?$/;
const grouped = new RegExp(`^[1-9]\\d{0,2}([,.]|${space})\\d{3}(?:\\1\\d{3})*$`);
const scaled = new RegExp(`^(\\d+)(?:[.,](\\d+))?(?:${space}?([KMB])|E\\+?(\\d{1,2}))$`, 'i');

const zeros: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9 };

const countForms = '1200, 1,200, 1.200, 1 200, 1.2M or 3,4K';

/**
 * A count as people and programs write it; `undefined` for anything else, and for what has two meanings: `1,200K` may be
 * 1,200 or 1,200,000.
 */
export function parseCount(text: string): number | undefined {
  if (plain.test(text)) return exact(text);
  if (grouped.test(text)) return exact(text.replace(/\D/g, ''));
  const [, whole = '', fraction = '', suffix = '', power] = scaled.exec(text) ?? [];
  const missing = Number(power ?? zeros[suffix.toUpperCase()] ?? -1) - fraction.length;
  const isUnclear = power === undefined && fraction.length === 3;
  return missing < 0 || isUnclear ? undefined : exact(whole + fraction + '0'.repeat(missing));
}

/** Never rounded. */
function exact(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
