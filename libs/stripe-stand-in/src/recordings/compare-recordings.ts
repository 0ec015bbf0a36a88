import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareShapes, type Difference, objectsIn, type TypedObject } from './compare-shapes.js';

/** What Stripe once answered, or sent: an object, a list or an event. */
export interface Recording {
  readonly name: string;
  readonly object: unknown;
}

export interface Comparison {
  readonly differences: readonly (Difference & { readonly recordings: readonly string[] })[];
  /** Types of objects that were compared. */
  readonly compared: readonly string[];
  /** Types that the stand-in does not have. */
  readonly unknown: readonly string[];
}

/** The files `NAME.json` of a directory: each an object as it was answered, or `{name, object}`. */
export function readRecordings(directory: string): Recording[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => {
    const read: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    return isNamed(read) ? read : { name: file.slice(0, -'.json'.length), object: read };
  });
}

/** Compares every object in the recordings with those of its type in the examples, which are the stand-in's. */
export function compareRecordings(
  examples: readonly unknown[],
  recordings: readonly Recording[],
): Comparison {
  const here = byType(examples.flatMap(objectsIn));
  const found = new Map<string, Difference & { recordings: string[] }>();
  const compared = new Set<string>();
  const unknown = new Set<string>();
  for (const { name, object } of recordings) {
    for (const one of objectsIn(object)) {
      const ofType = here.get(one.object);
      (ofType ? compared : unknown).add(one.object);
      for (const difference of ofType ? compareShapes(ofType, one) : []) {
        const key = JSON.stringify(difference);
        const known = found.get(key) ?? { ...difference, recordings: [] };
        if (!known.recordings.includes(name)) known.recordings.push(name);
        found.set(key, known);
      }
    }
  }
  return { differences: [...found.values()], compared: [...compared], unknown: [...unknown] };
}

function byType(objects: readonly TypedObject[]): Map<string, TypedObject[]> {
  const found = new Map<string, TypedObject[]>();
  for (const one of objects) found.set(one.object, [...(found.get(one.object) ?? []), one]);
  return found;
}

function isNamed(value: unknown): value is Recording {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'name') === 'string' && typeof Reflect.get(value, 'object') === 'object';
}
