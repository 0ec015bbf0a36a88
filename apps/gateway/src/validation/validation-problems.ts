import { type ErrorDetails } from '@app/contracts';
import { validateSync } from 'class-validator';

/** What is wrong with parameters, by name. */
export function validationProblems(parameters: object): ErrorDetails {
  const errors = validateSync(parameters);
  return Object.fromEntries(errors.map((error) => [error.property, Object.values(error.constraints ?? {})]));
}
