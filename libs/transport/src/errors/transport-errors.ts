import { ServiceError } from '@app/contracts';

/** A fault of ours. The reason is for the log; a consumer learns only that trying again helps. */
export function internal(cause?: unknown): ServiceError {
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', { cause });
}

/** Nobody can take a request now. The reason is for the log; a consumer learns only that trying again helps. */
export function unavailable(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The service is temporarily unavailable; try again shortly.', {
    cause: new Error(reason, { cause }),
  });
}

/** The reply did not come in time; whether the request ran is unknown. */
export function deadlineExceeded(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The service did not answer in time; try again shortly.');
}
