import { type ErrorDetails, ServiceError } from '@app/contracts';

/** A 400 whose sentence and `details` say what is wrong, by field, parameter or header. */
export function invalidRequest(details: ErrorDetails): ServiceError {
  const problems = [...new Set(Object.values(details).flat())].join('; ');
  return new ServiceError('invalid_request', `The request is not valid: ${problems}.`, { details });
}
