import {
  type ErrorAnswer,
  type ErrorCode,
  type InsufficientCreditsAnswer,
  type InsufficientCreditsProblem,
  type KeyLimitAnswer,
  type KeyLimitProblem,
  type Problem,
  type ServiceError,
  type ValidationError,
  type ValidationProblem,
} from '#contracts';
import { InsufficientCreditsError, KeyLimitError } from './gateway-errors.js';
import { STATUS_CODES } from 'node:http';
import Negotiator from 'negotiator';

/** The body of every error, with the additions of its kind. */
export type ErrorBody = ErrorAnswer & Partial<ValidationError & InsufficientCreditsAnswer & KeyLimitAnswer>;

export function errorBody(error: ServiceError): ErrorBody {
  return {
    error: error.message,
    ...(error.details ? { details: error.details } : {}),
    ...(error instanceof InsufficientCreditsError
      ? { credits_needed: error.creditsNeeded, credits_remaining: error.creditsRemaining }
      : {}),
    ...(error instanceof KeyLimitError ? { key_limit: error.keyLimit } : {}),
  };
}

export const problemType = 'application/problem+json';

/** An error as RFC 9457 has it, with the same additions. */
export type ProblemDetails = Problem &
  Partial<ValidationProblem & InsufficientCreditsProblem & KeyLimitProblem>;

/** Whether a client explicitly accepts problem details: clients that accept anything get our own error body. */
export function wantsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(problemType)) return false;
  return new Negotiator({ headers: { accept } }).mediaType([problemType]) !== undefined;
}

export function problemDetails(
  code: ErrorCode,
  status: number,
  { error, ...additions }: ErrorBody,
  requestId: string,
): ProblemDetails {
  return {
    type: `urn:creator-search:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: error,
    request_id: requestId,
    ...additions,
  };
}
