import {
  CreatorRecord,
  foldText,
  type Platform,
  platforms,
  readShape,
  slugLengthMax,
  updateTime,
} from '#contracts';
import { accountField, accountFields, creatorFields, type FieldName, keysOf, readCell } from './cells.js';
import { type Mapping } from './mapping.js';

/** A row of a table as a record of an import, or everything that is wrong with it in one sentence. */
export type RowReading = { readonly record: { readonly slug: string } } | { readonly error: string };

const shownLengthMax = 60;

export function readRow(cells: readonly string[], mapping: Mapping): RowReading {
  const row = new Row(cells, mapping);
  const accounts = platforms.filter((platform) => row.textOf(accountField(platform, 'handle')) !== '');
  const record = {
    ...Object.fromEntries(keysOf(creatorFields).map((field) => [field, row.valueOf(field)])),
    slug: row.slug(),
    platforms: accounts.map((platform) => ({
      platform,
      ...Object.fromEntries(
        keysOf(accountFields).map((field) => [field, row.valueOf(accountField(platform, field))]),
      ),
    })),
  };
  const { shape, details = {} } = readShape(CreatorRecord, record, { strict: true });
  for (const [path, [sentence = '']] of Object.entries(details)) {
    row.refuse(fieldAt(path, accounts), sentence.slice(path.length + 1));
  }
  for (const path of futureTimes(shape, new Date())) row.refuse(fieldAt(path, accounts), 'is in the future');
  const error = row.problems();
  return error === '' ? { record } : { error };
}

/** The paths of times that no count can be from. */
export function futureTimes({ platforms: accounts }: CreatorRecord, now: Date): string[] {
  return accounts.flatMap(({ updated_at }, index) =>
    updateTime(updated_at, now) === null ? [`platforms[${index}].updated_at`] : [],
  );
}

/** `platforms[0].followers` is `youtube.followers` when the first account is on YouTube. */
function fieldAt(path: string, accounts: readonly Platform[]): string {
  return path.replace(/^platforms\[(\d+)\]/, (_, index) => accounts[Number(index)] ?? '');
}

class Row {
  /** By field, the first of each. */
  private readonly broken = new Map<string, string>();

  constructor(
    private readonly cells: readonly string[],
    private readonly mapping: Mapping,
  ) {}

  textOf(field: FieldName): string {
    const source = this.mapping.get(field);
    if (!source) return '';
    return ('value' in source ? source.value : (this.cells[source.index] ?? '')).trim();
  }

  valueOf(field: FieldName): unknown {
    if (!this.mapping.has(field)) return undefined;
    const reading = readCell(field, this.textOf(field));
    if ('value' in reading) return reading.value;
    this.refuse(field, reading.broken);
    return undefined;
  }

  /** Its own, else that of the name. */
  slug(): string {
    const own = this.textOf('slug');
    if (own !== '') return own;
    const made = slugOf(this.textOf('name'));
    if (made === '') this.refuse('slug', "can't be made of the name: give one in a column of its own");
    return made;
  }

  /** Records what is wrong with a field: the rest of a sentence that begins with its name. */
  refuse(field: string, rule: string): void {
    if (!this.broken.has(field)) this.broken.set(field, `${this.placeOf(field)}${field} ${rule}`);
  }

  problems(): string {
    // Without a name there is no slug either.
    if (this.broken.has('name') && this.textOf('slug') === '') this.broken.delete('slug');
    return [...this.broken.values()].join('; ');
  }

  /** The cell that a field comes from, as it is in the file. */
  private placeOf(field: string): string {
    const name = field as FieldName;
    const source = this.mapping.get(name === 'slug' && this.textOf('slug') === '' ? 'name' : name);
    if (!source) return '';
    if ('value' in source) return `--set ${field}=${source.value}: `;
    const text = (this.cells[source.index] ?? '').trim();
    const shown = text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}...` : text;
    return `column ${JSON.stringify(source.column)} is ${shown === '' ? 'empty' : JSON.stringify(shown)}: `;
  }
}

/** The slug of a name: the same for the same name, and empty for one without a Latin letter or a digit. */
export function slugOf(name: string): string {
  const words = foldText(name)
    .replaceAll("'", '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, slugLengthMax).replace(/-$/, '');
}
