import { STATUS_CODES } from 'node:http';
import {
  type ErrorCode,
  type InsufficientCreditsProblem,
  type Problem,
  type ValidationProblem,
} from '@app/contracts';
import Negotiator from 'negotiator';
import { type ErrorBody } from './error-body.js';

export const problemType = 'application/problem+json';

/** An error as RFC 9457 has it, with the same additions. */
export type ProblemDetails = Problem & Partial<ValidationProblem & InsufficientCreditsProblem>;

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
