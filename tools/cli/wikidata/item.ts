/** A value of a statement or a qualifier: a string, a reference to an item, a quantity or a time. */
type Value =
  | string
  | { readonly id?: string; readonly amount?: string; readonly time?: string; readonly precision?: number };

interface Snak {
  readonly snaktype: string;
  /** Missing when the value is unknown or there is none. */
  readonly datavalue?: { readonly value: Value };
}

export interface Statement {
  readonly rank: 'preferred' | 'normal' | 'deprecated';
  readonly mainsnak: Snak;
  readonly qualifiers?: Readonly<Record<string, readonly Snak[]>>;
}

type Texts = Readonly<Record<string, { readonly value: string }>>;

/** What the import reads of a line of the dump: https://www.wikidata.org/wiki/Special:MyLanguage/Help:Data_type */
export interface Item {
  readonly type: string;
  readonly id: string;
  readonly labels?: Texts;
  readonly aliases?: Readonly<Record<string, readonly { readonly value: string }[]>>;
  readonly descriptions?: Texts;
  readonly claims?: Readonly<Record<string, readonly Statement[]>>;
}

const endTime = 'P582';

/** The statements of a property that hold today: neither deprecated nor ended, with a known value. */
export function currentStatements({ claims }: Item, property: string): Statement[] {
  return (claims?.[property] ?? []).filter(
    ({ rank, mainsnak, qualifiers }) =>
      rank !== 'deprecated' &&
      mainsnak.datavalue !== undefined &&
      !(qualifiers?.[endTime] ?? []).some(({ snaktype }) => snaktype !== 'novalue'),
  );
}

/** The preferred ones of the current statements, or all when none is preferred. */
export function bestStatements(item: Item, property: string): Statement[] {
  const current = currentStatements(item, property);
  const preferred = current.filter(({ rank }) => rank === 'preferred');
  return preferred.length > 0 ? preferred : current;
}

/** The ids of the items that the best statements of the properties name, property by property. */
export function itemIds(item: Item, properties: readonly string[]): string[] {
  return properties
    .flatMap((property) => bestStatements(item, property))
    .map(({ mainsnak }) => partOf(mainsnak, 'id'))
    .filter((id) => id !== undefined);
}

export function textOf({ datavalue }: Snak): string | undefined {
  return typeof datavalue?.value === 'string' ? datavalue.value : undefined;
}

export function qualifierTexts({ qualifiers }: Statement, property: string): string[] {
  return (qualifiers?.[property] ?? []).map(textOf).filter((text) => text !== undefined);
}

/** A whole number that is not negative, as `+1200`. */
export function countOf(snak: Snak): number | undefined {
  const amount = partOf(snak, 'amount') ?? '';
  const count = /^\+\d+$/.test(amount) ? Number(amount) : NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}

const yearPrecision = 9;
const monthPrecision = 10;

/** The day of a point in time; the first one of a month or year that is not known more precisely. */
export function dayOf(snak: Snak): string | undefined {
  const [, year, month, day] = /^\+(\d{4})-(\d\d)-(\d\d)T/.exec(partOf(snak, 'time') ?? '') ?? [];
  const precision = partOf(snak, 'precision') ?? 0;
  if (year === undefined || precision < yearPrecision) return undefined;
  if (precision === yearPrecision) return `${year}-01-01`;
  return `${year}-${month}-${precision === monthPrecision ? '01' : day}`;
}

function partOf<Part extends keyof Exclude<Value, string>>({ datavalue }: Snak, part: Part) {
  return typeof datavalue?.value === 'object' ? datavalue.value[part] : undefined;
}
