import { type ErrorDetails, type ServiceError } from '@app/contracts';
import { type ValidationError } from 'class-validator';
import { invalidRequest } from '../../http/requests/invalid-request.js';

/** One error that names every invalid field with all of its problems. */
export function invalidFields(errors: ValidationError[]): ServiceError {
  const details: ErrorDetails = {};
  for (const error of errors) details[error.property] = sentencesOf(error);
  return invalidRequest(details);
}

function sentencesOf({ property, constraints = {} }: ValidationError): string[] {
  return Object.entries(constraints).map(([rule, sentence]) =>
    rule === 'whitelistValidation' ? `${property} is not a known field` : sentence,
  );
}
