import { ValidateBy, validateSync } from 'class-validator';
import { fieldProblem, type FieldProblems } from './read-shape.js';
import { fieldsOf, type ShapeClass } from './shape.js';

/**
 * What class-validator finds wrong with the fields of an object of a shape. The edges over HTTP check with it; for messages and
 * imports `fieldProblems` takes a fraction of the time, and threads need not load class-validator.
 */
export function validationProblems(shape: object): FieldProblems {
  const Class = shape.constructor as ShapeClass;
  registerRules(Class);
  // class-validator takes a class without rules for an unknown value.
  if (fieldsOf(Class).size === 0) return {};
  const errors = validateSync(shape, { validationError: { target: false } });
  return Object.fromEntries(
    errors.map(({ property, constraints }) => [property, constraints?.shape ?? 'is invalid']),
  );
}

const registered = new WeakSet<ShapeClass>();

/** Registers the rules of a class when it is first validated, so that declaring a shape does not load class-validator. */
function registerRules(Class: ShapeClass): void {
  if (registered.has(Class)) return;
  registered.add(Class);
  for (const [name, field] of fieldsOf(Class)) {
    const validator = {
      validate: (value: unknown) => fieldProblem(field, value) === null,
      defaultMessage: (context?: { value?: unknown }) => fieldProblem(field, context?.value) ?? '',
    };
    ValidateBy({ name: 'shape', validator })(Class.prototype as object, name);
  }
}
