import { ServiceError } from '@app/contracts';

/** A fault of ours. The reason is for the log; a consumer learns only that trying again helps. */
export function internal(cause?: unknown): ServiceError {
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', { cause });
}
