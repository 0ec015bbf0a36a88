import { platforms } from '#contracts';
import { InvalidArgumentError } from 'commander';
import { CliError } from '../errors.js';
import { accountField, accountFields, creatorFields, type FieldName, isField, keysOf } from './cells.js';

/** What options give to fields, by their names: of `--map` columns, of `--set` values. */
export type Assignments = ReadonlyMap<string, string>;

const pair = /\s*([^=,"]+?)\s*=\s*(?:"((?:[^"]|"")*)"|([^,"][^,]*?))\s*(?:,|$)/y;

/** Reads `name=Title,country="State, country"`, and adds it to what the option was given `before`. */
export function parseMap(text: string, before: Assignments = new Map()): Assignments {
  const assignments = new Map(before);
  for (pair.lastIndex = 0; pair.lastIndex < text.length;) {
    const [, field, quoted, plain = ''] = pair.exec(text) ?? [];
    if (field === undefined) {
      throw new InvalidArgumentError('Expected field=Column,field="Column, with a comma".');
    }
    assign(assignments, field, quoted?.replaceAll('""', '"') ?? plain);
  }
  return assignments;
}

/** Reads one `country=Norway`; the value may hold anything. */
export function parseSet(text: string, before: Assignments = new Map()): Assignments {
  const [, field, value] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (field === undefined || value === undefined) throw new InvalidArgumentError('Expected field=value.');
  const assignments = new Map(before);
  assign(assignments, field, value);
  return assignments;
}

function assign(assignments: Map<string, string>, field: string, value: string): void {
  if (assignments.has(field)) throw new InvalidArgumentError(`${field} is given twice.`);
  assignments.set(field, value);
}

/** Where a field's value comes from: a column of the table, or `--set`. */
export type FieldSource = { readonly column: string; readonly index: number } | { readonly value: string };

export type Mapping = ReadonlyMap<FieldName, FieldSource>;

export interface MappingOptions {
  readonly map?: Assignments;
  readonly set?: Assignments;
}

const required: readonly FieldName[] = ['name', 'country', 'languages', 'categories'];
const requiredOfAccount = ['handle', 'followers', 'updated_at'] as const;

/**
 * Finds the source of each field: by the options, else the column with its name. Throws one `CliError` with everything
 * that is wrong, the columns that there are and what can be mapped.
 */
export function mapColumns(header: readonly string[], { map, set }: MappingOptions): Mapping {
  const columns = new Columns(header);
  const mapping = new Map<FieldName, FieldSource>(columns.ofFields());
  const problems: string[] = [];
  for (const [field, value] of set ?? []) {
    if (!isField(field)) problems.push(unknownField(field));
    else if (map?.has(field)) problems.push(`${field} is in both --map and --set`);
    else mapping.set(field, { value });
  }
  for (const [field, column] of map ?? []) {
    const source = columns.find(column);
    if (!isField(field)) problems.push(unknownField(field));
    else if (source) mapping.set(field, source);
    else problems.push(`${quoted(column)} is not a column of the file`);
  }
  problems.push(...columns.repeatedOf(mapping), ...missingOf(mapping, map));
  if (problems.length > 0) throw unusable(problems, header);
  return mapping;
}

/** The columns of a table by their names, in which case and white space don't matter. */
class Columns {
  private readonly indexes = new Map<string, number[]>();

  constructor(private readonly header: readonly string[]) {
    for (const [index, name] of header.entries()) {
      const key = keyOf(name);
      this.indexes.set(key, [...(this.indexes.get(key) ?? []), index]);
    }
  }

  find(name: string): { column: string; index: number } | undefined {
    const index = this.indexes.get(keyOf(name))?.[0];
    return index === undefined ? undefined : { column: this.header[index]?.trim() ?? '', index };
  }

  *ofFields(): Generator<[FieldName, FieldSource]> {
    for (const key of this.indexes.keys()) {
      const source = this.find(key);
      if (isField(key) && source) yield [key, source];
    }
  }

  /** Names in use that more than one column has. Other repeated names do no harm. */
  repeatedOf(mapping: Mapping): string[] {
    const used = [...mapping.values()].flatMap((source) => ('column' in source ? [source.column] : []));
    return [...new Set(used)]
      .filter((column) => (this.indexes.get(keyOf(column))?.length ?? 0) > 1)
      .map((column) => `${quoted(column)} is the name of several columns: rename all but one`);
  }
}

/** What a record can't be without, unless its column was named and not found. */
function missingOf(mapping: Mapping, map?: Assignments): string[] {
  const ofAccounts = platforms
    .filter((platform) => keysOf(accountFields).some((field) => mapping.has(accountField(platform, field))))
    .flatMap((platform) => requiredOfAccount.map((field) => accountField(platform, field)));
  return [...required, ...ofAccounts]
    .filter((field) => !mapping.has(field) && !map?.has(field))
    .map((field) => `${field} has no column: --map ${field}=COLUMN, or --set ${field}=VALUE for every line`);
}

function unusable(problems: readonly string[], header: readonly string[]): CliError {
  const named = header.filter((name) => name.trim() !== '').map((name) => quoted(name.trim()));
  return new CliError(
    [
      'The table needs another mapping; nothing was sent.',
      ...problems.map((problem) => `  ${problem}`),
      `Its columns: ${named.join(', ')}`,
      `What can be mapped: ${keysOf(creatorFields).join(', ')}`,
      `  and ${keysOf(accountFields).join(', ')} of ${platforms.join(', ')}, for example ${platforms[0]}.handle`,
    ].join('\n'),
  );
}

function unknownField(field: string): string {
  return `${quoted(field)} is not a field of a creator`;
}

function keyOf(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase();
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
