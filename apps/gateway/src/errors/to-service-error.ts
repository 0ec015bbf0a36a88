import { HttpException } from '@nestjs/common';
import { ServiceError } from '@app/contracts';
import { codeOfStatus } from './status-by-code.js';

const sentences: Readonly<Record<number, string>> = {
  404: 'No such path.',
  413: 'The body is too large.',
  415: 'A body of this type is not supported.',
};

/**
 * Maps anything thrown to a `ServiceError`. The messages of the HTTP server's own client errors are passed on (they say
 * what is wrong with the body or the URL); those of a fault never are.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) {
    const words = error instanceof Error ? error.message : 'The request is not valid.';
    const code = codeOfStatus(status);
    const details = code === 'invalid_request' ? { details: { request: [words] } } : {};
    return new ServiceError(code, sentences[status] ?? words, { cause: error, ...details });
  }
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', {
    cause: error,
  });
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
