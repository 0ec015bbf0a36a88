import { type ErrorDetails, type ServiceError } from '@app/contracts';
import { InsufficientCreditsError } from './insufficient-credits.error.js';

/** The body of every error (spec 7). */
export interface ErrorBody {
  readonly error: string;
  readonly details?: ErrorDetails;
  readonly credits_needed?: number;
  readonly credits_remaining?: number;
}

export function errorBody(error: ServiceError): ErrorBody {
  return {
    error: error.message,
    ...(error.details ? { details: error.details } : {}),
    ...(error instanceof InsufficientCreditsError
      ? { credits_needed: error.creditsNeeded, credits_remaining: error.creditsRemaining }
      : {}),
  };
}
