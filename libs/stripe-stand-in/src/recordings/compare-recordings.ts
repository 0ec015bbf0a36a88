import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Of each type of object the fields by which billing decides. They have to exist in what Stripe answers and in what the
 * stand-in answers, whatever else is in it.
 */
const fieldsRead: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': [
    'id',
    'amount_subtotal',
    'amount_total',
    'currency',
    'expires_at',
    'livemode',
    'metadata',
    'payment_intent',
    'payment_status',
    'status',
    'total_details.amount_discount',
    'total_details.amount_tax',
    'url',
  ],
  payment_intent: ['id', 'latest_charge', 'status'],
  charge: ['receipt_url'],
  refund: ['amount', 'created', 'currency', 'payment_intent', 'status'],
  dispute: ['amount', 'balance_transactions', 'created', 'currency', 'payment_intent', 'status'],
  balance_transaction: ['amount', 'currency'],
  'radar.early_fraud_warning': ['actionable', 'fraud_type', 'payment_intent'],
  event: ['id', 'created', 'data.object', 'livemode', 'type'],
};

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

/** A field that is not the same at Stripe and here. */
export interface Difference {
  /** From the object's type: `checkout.session.total_details.amount_tax`. */
  readonly path: string;
  readonly problem: 'missing at Stripe' | 'missing here' | 'another type';
  /** Types at Stripe and here, when the problem is these. */
  readonly types?: { readonly stripe: string; readonly here: string };
}

type Fields = Readonly<Record<string, unknown>>;

/** An object of Stripe that says of which type it is. */
export interface TypedObject extends Fields {
  readonly object: string;
}

/** Types of values by path; a path has more than one in different states of an object. */
type Shape = Map<string, Set<string>>;

/** Maps whose names are the shop's own. */
const freeMaps = new Set(['metadata']);

/**
 * Compares an object of Stripe with examples of the stand-in, which are of the same type and in as many states as there
 * are: each field that the stand-in has, and each that billing reads, has to be in both, and of a type that the stand-in
 * has shown. What else Stripe has is not looked at. An empty list when there is no difference.
 */
export function compareShapes(examples: readonly TypedObject[], ofStripe: TypedObject): Difference[] {
  const here = shapeOf(examples);
  const there = shapeOf([ofStripe]);
  const { object } = ofStripe;
  const paths = new Set([...here.keys(), ...(fieldsRead[object] ?? [])]);
  return [...paths]
    .filter((path) => !isBelowNothing(there, path))
    .flatMap((path) => differenceOf(`${object}.${path}`, here.get(path), there.get(path)));
}

/** All objects of Stripe within a value, itself included: those of a list, an event, an expanded field. */
export function objectsIn(value: unknown): TypedObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(objectsIn);
  return isTyped(value) && value.object !== 'list' ? [value, ...within] : within;
}

function shapeOf(objects: readonly Fields[]): Shape {
  const shape: Shape = new Map();
  for (const object of objects) addFields(shape, '', object);
  return shape;
}

function addFields(shape: Shape, prefix: string, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) addValue(shape, prefix + name, value);
  }
}

function addValue(shape: Shape, path: string, value: unknown): void {
  const type = typeOf(value);
  shape.set(path, (shape.get(path) ?? new Set()).add(type));
  if (Array.isArray(value)) for (const item of value as unknown[]) addValue(shape, `${path}[]`, item);
  if (isFields(value) && type === 'object' && !freeMaps.has(path)) addFields(shape, `${path}.`, value);
}

/** An object that is expanded has a type and is compared by itself; in its place stands its id. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isTyped(value) && typeof value.id === 'string' ? 'string' : typeof value;
}

/** Whether what would hold it is empty at Stripe, so that nothing can be said of it. */
function isBelowNothing(there: Shape, path: string): boolean {
  const parents = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index));
  return parents.some((parent) => {
    const types = there.get(parent);
    return types?.has('null') === true || (types?.has('array') === true && !there.has(`${parent}[]`));
  });
}

function differenceOf(path: string, here?: Set<string>, there?: Set<string>): Difference[] {
  if (!there) return [{ path, problem: 'missing at Stripe' }];
  if (!here) return [{ path, problem: 'missing here' }];
  // The stand-in has never had a value in this field, so it says nothing about its type.
  if ([...here].every((type) => type === 'null')) return [];
  const others = [...there].filter((type) => !here.has(type));
  if (others.length === 0) return [];
  return [
    { path, problem: 'another type', types: { stripe: others.join(' or '), here: [...here].join(' or ') } },
  ];
}

function isTyped(value: unknown): value is TypedObject {
  return isFields(value) && typeof value.object === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
