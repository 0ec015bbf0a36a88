import {
  blankRecord,
  CreatorBody,
  handleProblem,
  type ImportMode,
  type Platform,
  platforms,
  readShape,
  updateTime,
} from '#contracts';
import {
  accountField,
  accountFields,
  creatorFields,
  type FieldName,
  isEmptyCell,
  isList,
  keysOf,
  readCell,
} from './cells.js';
import { type Mapping } from './mapping.js';

/** A row of a table as a record of an import, or everything that is wrong with it in one sentence. */
export type RowReading = { readonly record: object } | { readonly error: string; readonly reason?: string };

const shownLengthMax = 60;

/**
 * Reads a row; cells with one of the words `nulls` are empty. A record without a slug is found by its accounts. One that is
 * merged may lack any field, and has the values of `--default` apart, as they are only for a new creator.
 */
export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  nulls: readonly string[] = [],
  mode: ImportMode = 'replace',
): RowReading {
  const row = new Row(cells, mapping, nulls);
  const accounts = platforms.filter((platform) => row.textsOf(accountField(platform, 'handle')).length > 0);
  const isMerged = mode === 'merge';
  const isDefault = (field: FieldName) => isMerged && field !== 'slug' && row.hasDefault(field);
  const values = (isWanted: (field: FieldName) => boolean) =>
    keysOf(creatorFields).flatMap((field) => {
      const value = isWanted(field) ? row.valueOf(field) : undefined;
      return value === undefined ? [] : [[field, value] as const];
    });
  const defaults = Object.fromEntries(values(isDefault));
  const record = {
    ...Object.fromEntries(values((field) => !isDefault(field))),
    platforms: accounts.map((platform) => ({
      platform,
      ...Object.fromEntries(
        keysOf(accountFields).map((field) => [field, row.valueOf(accountField(platform, field))]),
      ),
    })),
  };
  const whole = isMerged ? { ...blankRecord, ...defaults, ...record } : record;
  const { shape, details = {} } = readShape(CreatorBody, whole, { strict: true });
  for (const [path, [sentence = '']] of Object.entries(details)) {
    row.refuse(fieldAt(path, accounts), sentence.slice(path.length + 1));
  }
  for (const path of futureTimes(shape, new Date())) row.refuse(fieldAt(path, accounts), 'is in the future');
  for (const { platform, handle } of shape.platforms) {
    const problem = isLink.test(handle) ? null : handleProblem(platform, handle.replace(/^[@\s]+/, ''));
    if (problem !== null) row.refuse(accountField(platform, 'handle'), problem);
  }
  if (isMerged && shape.slug === undefined && accounts.length === 0) {
    row.refuse('platforms', 'must have an account when there is no slug');
  }
  const sent = Object.keys(defaults).length === 0 ? record : { ...record, defaults };
  return row.problems() ?? { record: sent };
}

/** The catalog reads links. */
const isLink = /[/\\]|%2f/i;

/** The paths of times that no count can be from. */
export function futureTimes({ platforms: accounts }: CreatorBody, now: Date): string[] {
  return accounts.flatMap(({ updated_at }, index) =>
    updateTime(updated_at, now) === null ? [`platforms[${index}].updated_at`] : [],
  );
}

/** `platforms[0].followers` is `youtube.followers` when the first account is on YouTube. */
function fieldAt(path: string, accounts: readonly Platform[]): string {
  return path.replace(/^platforms\[(\d+)\]/, (_, index) => accounts[Number(index)] ?? '');
}

class Row {
  /** The first rule that each field breaks. */
  private readonly broken = new Map<string, string>();

  constructor(
    private readonly cells: readonly string[],
    private readonly mapping: Mapping,
    private readonly nulls: readonly string[],
  ) {}

  /** The cells of a field that are not empty, else what an option gives: none, one, or several of a list. */
  textsOf(field: FieldName): string[] {
    const source = this.mapping.get(field);
    if (!source) return [];
    const texts = this.filledOf(field);
    return texts.length === 0 && source.given ? [source.given.value.trim()] : texts;
  }

  valueOf(field: FieldName): unknown {
    if (!this.mapping.has(field)) return undefined;
    const values = this.textsOf(field).flatMap((text) => {
      const reading = readCell(field, text);
      if ('value' in reading) return reading.value;
      this.refuse(field, reading.broken);
      return [];
    });
    return isList(field) ? values : values[0];
  }

  /** Whether the field is empty and `--default` has a value for it. */
  hasDefault(field: FieldName): boolean {
    return this.mapping.get(field)?.given?.option === 'default' && this.filledOf(field).length === 0;
  }

  /** Records what is wrong with a field: the rest of a sentence that begins with its name. */
  refuse(field: string, rule: string): void {
    if (!this.broken.has(field)) this.broken.set(field, `${field} ${rule}`);
  }

  problems(): { readonly error: string; readonly reason: string } | null {
    const [reason] = this.broken.values();
    if (reason === undefined) return null;
    const sentences = [...this.broken].map(([field, sentence]) => this.placeOf(field) + sentence);
    return { error: sentences.join('; '), reason };
  }

  private filledOf(field: FieldName): string[] {
    const texts: string[] = [];
    for (const { index } of this.mapping.get(field)?.columns ?? []) {
      const text = (this.cells[index] ?? '').trim();
      if (!isEmptyCell(field, text, this.nulls)) texts.push(text);
    }
    return texts;
  }

  /** The cell that a field comes from, as it is in the file. */
  private placeOf(field: string): string {
    const name = field as FieldName;
    const { columns: [column] = [], given } = this.mapping.get(name) ?? {};
    if (given && this.filledOf(name).length === 0) return `--${given.option} ${field}=${given.value}: `;
    if (!column) return '';
    const text = (this.cells[column.index] ?? '').trim();
    const shown = text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}...` : text;
    return `column ${JSON.stringify(column.name)} is ${shown === '' ? 'empty' : JSON.stringify(shown)}: `;
  }
}
