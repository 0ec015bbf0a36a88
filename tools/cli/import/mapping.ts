import { type ImportMode, type Platform, platforms } from '#contracts';
import { InvalidArgumentError } from 'commander';
import { CliError } from '../errors.js';
import {
  accountField,
  accountFields,
  creatorFields,
  type FieldName,
  isAccountField,
  isField,
  isList,
  keysOf,
} from './cells.js';

/** What an option gives to a field: `--map` a column, `--set` and `--default` a value. */
export type Assignment = readonly [field: string, given: string];

const pair = /\s*([^=,"]+?)\s*=\s*(?:"((?:[^"]|"")*)"|([^,"][^,]*?))\s*(?:,|$)/y;

/** Reads `name=Title,country="State, country"`, and adds it to what the option was given `before`. */
export function parseMap(text: string, before: readonly Assignment[] = []): readonly Assignment[] {
  const assignments = [...before];
  for (pair.lastIndex = 0; pair.lastIndex < text.length;) {
    const [, field, quoted, plain = ''] = pair.exec(text) ?? [];
    if (field === undefined) {
      throw new InvalidArgumentError('Expected field=Column,field="Column, with a comma".');
    }
    assignments.push([field, quoted?.replaceAll('""', '"') ?? plain]);
  }
  return assignments;
}

/** Reads one `country=Norway`; the value may hold anything. */
export function parsePair(text: string, before: readonly Assignment[] = []): readonly Assignment[] {
  const [, field, value] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (field === undefined || value === undefined) throw new InvalidArgumentError('Expected field=value.');
  return [...before, [field, value]];
}

/** Reads one of `--platform`. */
export function parsePlatform(text: string, before: readonly Platform[] = []): readonly Platform[] {
  const platform = platforms.find((name) => name === text);
  if (!platform) throw new InvalidArgumentError(`Expected one of ${platforms.join(', ')}.`);
  return [...before, platform];
}

interface Column {
  readonly name: string;
  readonly index: number;
}

/** Where a field's value comes from. */
export interface FieldSource {
  /** Several of a list at most. */
  readonly columns: Column[];
  /** The value of lines whose cells are empty, or of every line when there is no column. */
  given?: GivenValue;
}

interface GivenValue {
  readonly option: 'set' | 'default';
  readonly value: string;
}

export type Mapping = ReadonlyMap<FieldName, FieldSource>;

export interface MappingOptions {
  readonly map?: readonly Assignment[];
  readonly set?: readonly Assignment[];
  readonly default?: readonly Assignment[];
  /** Whose accounts the columns `handle`, `followers`, `updated_at` and `url` describe. */
  readonly platform?: readonly Platform[];
  /** What the records are for: one that is merged needs only what names its creator. */
  readonly mode?: ImportMode;
}

const required: readonly FieldName[] = ['name', 'country', 'languages', 'categories'];
const requiredOfAccount = ['handle', 'followers', 'updated_at'] as const;

/**
 * Finds the source of each field: by the options, else the column with its name. Throws one `CliError` with everything
 * that is wrong, the columns that there are and what can be mapped.
 */
export function mapColumns(
  header: readonly string[],
  { map = [], set = [], default: defaults = [], platform = [], mode }: MappingOptions,
): Mapping {
  const table = new Columns(header);
  const sources = new Sources(table, platform);
  for (const [name, column] of map) sources.map(name, column);
  for (const [name, value] of set) sources.give(name, { option: 'set', value });
  for (const [name, value] of defaults) sources.give(name, { option: 'default', value });
  sources.matchNames();
  const problems = [...sources.problems, ...missingOf(sources.found, platform, mode)];
  if (problems.length > 0) throw mappingError(problems, table);
  return sources.found;
}

/** The sources of fields, as they are found. */
class Sources {
  readonly problems: string[] = [];
  readonly found = new Map<FieldName, FieldSource>();

  constructor(
    private readonly table: Columns,
    private readonly platforms: readonly Platform[],
  ) {}

  map(name: string, wanted: string): void {
    for (const [index, field] of this.knownFields(name).entries()) {
      const { columns } = this.sourceOf(field);
      const column = this.table.find(wanted, index + 1);
      if (!column) this.problems.push(`${quoted(wanted)} is not a column of the file`);
      else if (columns.length > 0 && !isList(field)) this.problems.push(`${field} is given twice`);
      else columns.push(column);
    }
  }

  give(name: string, given: GivenValue): void {
    for (const field of this.knownFields(name)) {
      const source = this.sourceOf(field);
      if (source.given) this.problems.push(`${field} is given twice`);
      else if (given.option === 'set' && source.columns.length > 0) {
        this.problems.push(`${field} is in both --map and --set`);
      }
      source.given = given;
    }
  }

  /** Takes columns with the names of fields that no option has named. */
  matchNames(): void {
    for (const [name, count] of this.table.counts) {
      const fields = this.fieldsOf(name);
      const free = fields.filter((field) => {
        const { columns, given } = this.found.get(field) ?? { columns: [] };
        return columns.length === 0 && given?.option !== 'set';
      });
      if (free.length > 0 && count > 1 && count !== fields.length) {
        const choices = `--map ${name}=${quoted(name)} or ${name}=${quoted(numbered(name, 2))}`;
        this.problems.push(`${quoted(name)} is the name of ${count} columns: choose one, ${choices}`);
      }
      for (const field of free) {
        const column = this.table.find(name, fields.indexOf(field) + 1);
        if (column) this.sourceOf(field).columns.push(column);
      }
    }
  }

  private sourceOf(field: FieldName): FieldSource {
    const source = this.found.get(field) ?? { columns: [] };
    this.found.set(field, source);
    return source;
  }

  private knownFields(name: string): FieldName[] {
    const fields = this.fieldsOf(name);
    if (fields.length === 0) this.problems.push(`${quoted(name)} is not a field of a creator`);
    return fields;
  }

  /** `followers` is a field of each `--platform`. */
  private fieldsOf(name: string): FieldName[] {
    if (isField(name)) return [name];
    return isAccountField(name) ? this.platforms.map((platform) => accountField(platform, name)) : [];
  }
}

/**
 * The columns of a table by their names, in which case and white space don't matter. The second with a name has also the
 * name `followers (2)`.
 */
class Columns {
  /** How many columns have a name. */
  readonly counts = new Map<string, number>();
  private readonly byName = new Map<string, Column>();

  constructor(header: readonly string[]) {
    for (const [index, text] of header.entries()) {
      const key = keyOf(text);
      const count = (this.counts.get(key) ?? 0) + 1;
      this.counts.set(key, count);
      const name = numbered(text.trim(), count);
      if (key !== '') this.byName.set(numbered(key, count), { name, index });
    }
  }

  /** Finds a column by name: of several, the one with the number, from 1; else the only one. */
  find(name: string, number: number): Column | undefined {
    const key = keyOf(name);
    const isOnly = (this.counts.get(key) ?? 1) === 1;
    return this.byName.get(isOnly ? key : numbered(key, number));
  }

  get names(): string[] {
    return [...this.byName.values()].map(({ name }) => quoted(name));
  }
}

function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name} (${number})`;
}

/** What a record can't be without. */
function missingOf(found: Mapping, named: readonly Platform[], mode?: ImportMode): string[] {
  const names: readonly FieldName[] = ['slug', ...platforms.map((name) => accountField(name, 'handle'))];
  const isUpdate = mode === 'merge' && names.some((name) => found.has(name));
  const isUsed = (platform: Platform): boolean =>
    named.includes(platform) ||
    keysOf(accountFields).some((field) => found.has(accountField(platform, field)));
  const ofAccounts = platforms
    .filter(isUsed)
    .flatMap((platform) => requiredOfAccount.map((field) => accountField(platform, field)));
  return [...(isUpdate ? [] : required), ...ofAccounts]
    .filter((field) => !found.has(field))
    .map((field) => `${field} has no column: --map ${field}=COLUMN, or --set ${field}=VALUE for every line`);
}

function mappingError(problems: readonly string[], { names }: Columns): CliError {
  return new CliError(
    [
      'The table needs another mapping; nothing was sent.',
      ...problems.map((problem) => `  ${problem}`),
      `Its columns: ${names.join(', ')}`,
      `What can be mapped: ${keysOf(creatorFields).join(', ')}`,
      `  and ${keysOf(accountFields).join(', ')} of ${platforms.join(', ')}, for example ${platforms[0]}.handle`,
    ].join('\n'),
  );
}

function keyOf(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase();
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
