import { fieldsRead } from './fields-read.js';

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
