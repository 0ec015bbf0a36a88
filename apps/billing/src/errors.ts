import { ServiceError } from '#contracts';

export function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message);
}

export function forbidden(message: string): ServiceError {
  return new ServiceError('forbidden', message);
}

export function notFound(message: string): ServiceError {
  return new ServiceError('not_found', message);
}

export function rateLimited(message: string): ServiceError {
  return new ServiceError('rate_limited', message);
}

/** `invalid_request` because of one field. */
export function invalidField(field: string, problem: string, message = problem): ServiceError {
  return new ServiceError('invalid_request', message, { details: { [field]: [problem] } });
}
