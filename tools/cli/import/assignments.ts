import { InvalidArgumentError } from 'commander';

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
