import { HttpException } from '@nestjs/common';
import { ServiceError } from '#contracts';
import { type FastifyRequest } from 'fastify';
import { codeOfStatus, httpErrorByCode } from './status-by-code.js';

type Request = Pick<FastifyRequest, 'routeOptions'>;

/** What Fastify's own words leave open. */
const sentences: Readonly<Record<number, (request: Request) => string>> = {
  404: () => 'No such path.',
  413: ({ routeOptions }) => `The body is too large; send at most ${routeOptions.bodyLimit} bytes.`,
  415: () => 'The body must be sent with Content-Type: application/json.',
};

/**
 * Maps anything thrown to a `ServiceError`. The messages of the HTTP server's own client errors are passed on (they say
 * what is wrong with the body or the URL); those of a fault never are.
 */
export function toServiceError(error: unknown, request: Request): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) {
    const words = error instanceof Error ? error.message : 'The request is not valid.';
    const code = codeOfStatus(status);
    const details = code === 'invalid_request' ? { details: { request: [words] } } : {};
    return new ServiceError(code, sentences[status]?.(request) ?? words, { cause: error, ...details });
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

/**
 * Throws why a call is refused. A key that was only taken to be good is looked up first: if it has been revoked, that is the
 * reason, before anything else that is wrong with its request.
 */
export async function refuseCall(reason: unknown, request: FastifyRequest): Promise<never> {
  const { confirmKey } = request.call;
  if (confirmKey && httpErrorByCode[toServiceError(reason, request).code].status < 500) await confirmKey();
  throw reason;
}
