import { type ErrorDetails, ServiceError } from '@app/contracts';

/** A 400 whose `details` name each parameter that failed. */
export function invalidQuery(details: ErrorDetails): ServiceError {
  const names = Object.keys(details).join(', ');
  return new ServiceError('invalid_request', `The request is not valid; see details for: ${names}.`, {
    details,
  });
}
