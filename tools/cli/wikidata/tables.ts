import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '#contracts';
import { CliError, messageOf } from '../errors.js';

/** What items of Wikidata mean here, by their ids: a dump names countries, languages and occupations only by id. */
export interface Tables {
  /** Classes whose instances are creators. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly countries: ReadonlyMap<string, string>;
  readonly languages: ReadonlyMap<string, string>;
  /** The categories of an occupation, genre, sport or class. */
  readonly categories: ReadonlyMap<string, readonly string[]>;
}

/** Reads the tables; a file in `replacements` takes the place of the shipped one of its name. */
export async function readTables(shipped: string, replacements = shipped): Promise<Tables> {
  if (!existsSync(replacements)) throw new CliError(`There is no directory ${replacements}.`);
  const read = async (name: string): Promise<Readonly<Record<string, unknown>>> => {
    const own = join(replacements, name);
    const file = existsSync(own) ? own : join(shipped, name);
    try {
      return recordOf(JSON.parse(await readFile(file, 'utf8')), 'it');
    } catch (error) {
      throw new CliError(`${file} can't be read: ${messageOf(error)}`);
    }
  };
  const categories = new Map<string, string[]>();
  for (const [category, items] of Object.entries(await read('categories.json'))) {
    for (const id of names(recordOf(items, category)).keys()) {
      categories.set(id, [...(categories.get(id) ?? []), category]);
    }
  }
  return {
    kinds: names(await read('kinds.json')),
    countries: names(await read('countries.json')),
    languages: names(await read('languages.json')),
    categories,
  };
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new CliError(`${what} must be a JSON object.`);
}

/** A table of ids and names. Throws `CliError` for anything else in it. */
function names(table: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    Object.entries(table).map(([id, name]) => {
      if (/^Q\d+$/.test(id) && typeof name === 'string' && name !== '') return [id, name];
      throw new CliError(`${JSON.stringify(id)} in a table must be the id of an item (Q42) with a name.`);
    }),
  );
}
