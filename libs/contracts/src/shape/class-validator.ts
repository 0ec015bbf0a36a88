import { ValidateBy, ValidateIf, ValidateNested, validateSync, type ValidationError } from 'class-validator';
import { type ErrorDetails } from '../errors.js';
import { problemOf } from './read-shape.js';
import { fieldsOf, type ShapeClass } from './shape.js';

/**
 * What class-validator finds wrong with an object of a shape, by path. The edges over HTTP validate with it. For messages and
 * imports, `readShape` finds the same in a fraction of the time, and threads need not load class-validator.
 */
export function validationProblems(shape: object): ErrorDetails {
  const Class = shape.constructor as ShapeClass;
  register(Class);
  // class-validator takes a class without rules for an unknown value.
  if (fieldsOf(Class).size === 0) return {};
  const details: ErrorDetails = {};
  flatten(validateSync(shape, { validationError: { target: false } }), '', details);
  return details;
}

const registered = new WeakSet<ShapeClass>();

/** Registers the rules of a class when it is first validated, so that declaring a shape does not load class-validator. */
function register(Class: ShapeClass): void {
  if (registered.has(Class)) return;
  registered.add(Class);
  const prototype = Class.prototype as object;
  for (const [name, field] of fieldsOf(Class)) {
    if (field.optional) ValidateIf((_shape, value) => value !== undefined)(prototype, name);
    if (field.of) {
      register(field.of());
      ValidateNested()(prototype, name);
    }
    const validator = {
      validate: (value: unknown) => problemOf(field, value) === null,
      defaultMessage: (context?: { value?: unknown }) => problemOf(field, context?.value) ?? '',
    };
    ValidateBy({ name: 'shape', validator })(prototype, name);
  }
}

function flatten(errors: readonly ValidationError[], path: string, details: ErrorDetails): void {
  for (const { property, constraints, children = [] } of errors) {
    const at = /^\d+$/.test(property) ? `${path.slice(0, -1)}[${property}]` : path + property;
    const problem = constraints?.shape;
    if (problem === undefined) flatten(children, `${at}.`, details);
    else details[at] = [`${at} ${problem}`];
  }
}
