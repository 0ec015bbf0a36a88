import { type ErrorDetails } from '../errors.js';
import { isRecord } from './formats.js';
import { type Field, fieldsOf, type ShapeClass, shapeOf } from './shape.js';

/** How a value is read. */
export interface Reading {
  /** Unknown fields are errors: a typo must not be dropped silently. Messages drop them: a newer sender may know more. */
  readonly strict: boolean;
  /** What errors call the names of the value; default: `field`. */
  readonly noun?: 'field' | 'argument';
  /** The fields are texts of a query. */
  readonly fromQuery?: boolean;
  /** What was found wrong before, by path. */
  readonly problems?: ErrorDetails;
  /** Finds what is wrong with the fields of one object; default: `fieldProblems`. */
  readonly check?: (shape: object) => FieldProblems;
}

/** Rests of sentences that begin with the name of a field, by that name. */
export type FieldProblems = Record<string, string>;

/** Unknown fields of one object that are named at most. */
const unknownNamedMax = 10;
const shownNameLengthMax = 60;

/**
 * A value as a new object of a shape: declared fields only, cleaned, with their defaults, shapes within it likewise.
 * `details` names what is wrong by path, for example `accounts[1].url`; `undefined`: the value is valid.
 */
export function readShape<Type extends object>(
  Class: ShapeClass<Type>,
  value: Readonly<Record<string, unknown>>,
  reading: Reading,
): { readonly shape: Type; readonly details?: ErrorDetails } {
  // Without a prototype, so that a field named `__proto__` is a name like any other.
  const details = Object.create(null) as ErrorDetails;
  const shape = build(Class, value, '', reading, details);
  Object.assign(details, reading.problems);
  checkCrossFieldRule(shape, '', details);
  return Object.keys(details).length === 0 ? { shape } : { shape, details };
}

function build<Type extends object>(
  Class: ShapeClass<Type>,
  value: Readonly<Record<string, unknown>>,
  path: string,
  reading: Reading,
  details: ErrorDetails,
): Type {
  const shape = new Class();
  const fields = fieldsOf(Class);
  if (reading.strict) refuseUnknown(value, fields, path, details, path === '' ? reading.noun : 'field');
  for (const [name, field] of fields) {
    // Own fields only, so that `__proto__` or `constructor` in JSON has no effect.
    const given: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    const read = given === undefined ? field.default : clean(field, given, reading);
    if (read !== undefined) (shape as Record<string, unknown>)[name] = read;
  }
  const problems = (reading.check ?? fieldProblems)(shape);
  for (const [name, problem] of Object.entries(problems)) {
    details[path + name] = [`${path}${name} ${problem}`];
  }
  for (const [name, field] of fields) {
    if (!field.shape || name in problems) continue;
    const values = shape as Record<string, unknown>;
    values[name] = buildWithin(field, values[name], path + name, reading, details);
  }
  return shape;
}

/** Checks each field of an object by its rule; objects of other shapes in it are not looked into. */
export function fieldProblems(shape: object): FieldProblems {
  const problems: FieldProblems = {};
  for (const [name, field] of fieldsOf(shape.constructor as ShapeClass)) {
    const problem = fieldProblem(field, (shape as FieldProblems)[name]);
    if (problem !== null) problems[name] = problem;
  }
  return problems;
}

/** What is wrong with a value of a field; `null`: nothing. */
export function fieldProblem(field: Field, value: unknown): string | null {
  if (value === undefined) return field.optional ? null : 'is missing';
  return field.problem(value);
}

function clean(field: Field, given: unknown, { fromQuery }: Reading): unknown {
  const parsed = fromQuery && field.parse ? field.parse(String(given)) : given;
  return field.clean ? field.clean(parsed) : parsed;
}

/** A valid value, the objects of another shape in it built likewise. */
function buildWithin(
  { shape, itemRule = 'an object' }: Field,
  value: unknown,
  path: string,
  reading: Reading,
  details: ErrorDetails,
): unknown {
  if (!shape || typeof value !== 'object' || value === null) return value;
  const buildItem = (item: unknown, at: string): unknown => {
    if (!isRecord(item)) {
      details[at] = [`${at} must be ${itemRule}`];
      return item;
    }
    const built = build(shape(), item, `${at}.`, reading, details);
    checkCrossFieldRule(built, `${at}.`, details);
    return built;
  };
  return Array.isArray(value)
    ? value.map((item, index) => buildItem(item, `${path}[${index}]`))
    : buildItem(value, path);
}

/** Adds what breaks the rule between the fields of an object, if nothing is wrong within it. */
function checkCrossFieldRule(shape: object, path: string, details: ErrorDetails): void {
  const { crossFieldRule } = shapeOf(shape.constructor as ShapeClass);
  if (!crossFieldRule || Object.keys(details).some((name) => name.startsWith(path))) return;
  for (const [name, sentences] of Object.entries(crossFieldRule(shape as never) ?? {})) {
    details[path + name] = sentences;
  }
}

function refuseUnknown(
  value: object,
  fields: ReadonlyMap<string, Field>,
  path: string,
  details: ErrorDetails,
  noun: Reading['noun'] = 'field',
): void {
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  for (const name of unknown.slice(0, unknownNamedMax)) {
    const shown = shownName(name);
    details[path + shown] = [
      `${path}${printable(shown)} is not a known ${noun}; ${knownNames(noun, fields)}`,
    ];
  }
}

/** The end of an error that names an unknown one. */
export function knownNames(
  what: 'field' | 'parameter' | 'argument',
  fields: ReadonlyMap<string, Field>,
): string {
  const names = [...fields.keys()];
  if (names.length === 0) {
    return { field: 'there are none', parameter: 'this path takes none', argument: 'this tool takes none' }[
      what
    ];
  }
  return `the ${what}${names.length === 1 ? ' is' : 's are'} ${names.join(', ')}`;
}

/** A name that a caller sent, cut short for an error. */
export function shownName(name: string): string {
  return name.length <= shownNameLengthMax ? name : `${name.slice(0, shownNameLengthMax)}...`;
}

/** Quoted unless it is plain: a terminal may show the error. */
const printable = (name: string): string => (/^[^\p{C}\s]+$/u.test(name) ? name : JSON.stringify(name));
