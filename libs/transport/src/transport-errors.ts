import { ServiceError } from '@app/contracts';

/** A fault on our side. The reason is only logged; the client is asked to try again. */
export function internal(cause?: unknown): ServiceError {
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', { cause });
}

/** No replica can take a request now. The reason is only logged; the client is asked to try again. */
export function unavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The service is temporarily unavailable; try again shortly.', {
    cause: new Error(reason, { cause }),
  });
}

/** The reply did not arrive in time; whether the request ran is unknown. */
export function deadlineExceeded(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The service did not answer in time; try again shortly.');
}
