import {
  type ErrorAnswer,
  type InsufficientCreditsAnswer,
  type ServiceError,
  type ValidationError,
} from '@app/contracts';
import { InsufficientCreditsError } from './insufficient-credits.error.js';

/** The body of every error, with the additions of its kind. */
export type ErrorBody = ErrorAnswer & Partial<ValidationError & InsufficientCreditsAnswer>;

export function errorBody(error: ServiceError): ErrorBody {
  return {
    error: error.message,
    ...(error.details ? { details: error.details } : {}),
    ...(error instanceof InsufficientCreditsError
      ? { credits_needed: error.creditsNeeded, credits_remaining: error.creditsRemaining }
      : {}),
  };
}
