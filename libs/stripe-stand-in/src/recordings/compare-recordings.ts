import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Stripe once answered, or sent: an object, a list or an event. */
export interface Recording {
  readonly name: string;
  readonly object: unknown;
}

export interface Comparison {
  /** As `charge.receipt_url: missing at Stripe (session.paid)`; the recording is in brackets. */
  readonly differences: readonly string[];
  /** Types of objects that were compared. */
  readonly compared: readonly string[];
  /** Types that the stand-in does not have. */
  readonly unknown: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** An object of Stripe says of which type it is. */
interface TypedObject extends Fields {
  readonly object: string;
}

/** Types of values by path; a path has more than one in different states of an object. */
type Shape = Map<string, Set<string>>;

/** Maps whose names are the shop's own. */
const freeMaps = ['metadata'];

/** The files `NAME.json` of a directory: each an object as it was answered. */
export function readRecordings(directory: string): Recording[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return files.toSorted().map((file) => {
    const object: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    return { name: file.slice(0, -'.json'.length), object };
  });
}

/**
 * Compares every object in the recordings with the examples of its type, which are the stand-in's in as many states as
 * there are: each field of the stand-in has to be at Stripe, with a type that the stand-in has shown. What else Stripe
 * has is not looked at.
 */
export function compareRecordings(
  examples: readonly unknown[],
  recordings: readonly Recording[],
): Comparison {
  const here = new Map<string, Shape>();
  for (const example of examples.flatMap(objectsIn)) {
    const shape = here.get(example.object) ?? emptyShape();
    here.set(example.object, addFields(shape, '', example));
  }
  const recorded = recordings.flatMap(({ name, object }) => objectsIn(object).map((one) => ({ name, one })));
  const types = [...new Set(recorded.map(({ one }) => one.object))];
  const differences = recorded.flatMap(({ name, one }) =>
    differencesOf(here.get(one.object) ?? emptyShape(), addFields(emptyShape(), '', one)).map(
      (difference) => `${one.object}.${difference} (${name})`,
    ),
  );
  return {
    differences: [...new Set(differences)],
    compared: types.filter((type) => here.has(type)),
    unknown: types.filter((type) => !here.has(type)),
  };
}

/** All objects of Stripe within a value, itself included: those of a list, an event, an expanded field. */
function objectsIn(value: unknown): TypedObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(objectsIn);
  return isTyped(value) && value.object !== 'list' ? [value, ...within] : within;
}

function emptyShape(): Shape {
  return new Map();
}

function addFields(shape: Shape, prefix: string, fields: Fields): Shape {
  for (const [name, value] of Object.entries(fields)) addValue(shape, prefix + name, value);
  return shape;
}

function addValue(shape: Shape, path: string, value: unknown): void {
  const type = typeOf(value);
  shape.set(path, (shape.get(path) ?? new Set()).add(type));
  if (Array.isArray(value)) for (const item of value as unknown[]) addValue(shape, `${path}[]`, item);
  if (isFields(value) && type === 'object' && !freeMaps.includes(path)) addFields(shape, `${path}.`, value);
}

/** An object that is expanded has a type and is compared by itself; its id takes its place. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isTyped(value) && typeof value.id === 'string' ? 'string' : typeof value;
}

function differencesOf(here: Shape, there: Shape): string[] {
  return [...here].flatMap(([path, types]) => {
    if (isInEmpty(there, path)) return [];
    const found = there.get(path);
    if (!found) return [`${path}: missing at Stripe`];
    // The stand-in has never had a value in this field, so it says nothing about its type.
    if ([...types].every((type) => type === 'null')) return [];
    const others = [...found].filter((type) => !types.has(type));
    return others.length === 0
      ? []
      : [`${path}: ${others.join(' or ')} at Stripe, not ${[...types].join(' or ')}`];
  });
}

/** Whether what would hold the path is empty at Stripe, so that nothing can be said of it. */
function isInEmpty(there: Shape, path: string): boolean {
  const parents = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index));
  return parents.some((parent) => {
    const types = there.get(parent);
    return types?.has('null') === true || (types?.has('array') === true && !there.has(`${parent}[]`));
  });
}

function isTyped(value: unknown): value is TypedObject {
  return isFields(value) && typeof value.object === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
