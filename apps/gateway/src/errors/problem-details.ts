import { STATUS_CODES } from 'node:http';
import { type ErrorCode } from '@app/contracts';
import Negotiator from 'negotiator';
import { type ErrorBody } from './error-body.js';

export const problemType = 'application/problem+json';

/** An error as RFC 9457 has it; the additions of spec 7 keep their names. */
export interface ProblemDetails extends Omit<ErrorBody, 'error'> {
  /** Identifies the kind of error; a name, not a URL to fetch. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id: string;
}

/** Whether a client explicitly accepts problem details: clients that accept anything get the errors of spec 7. */
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
