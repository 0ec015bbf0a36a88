import { RefusedError, httpErrorByCode } from '#http';
import { type ServiceError } from '#contracts';
import { type FastifyReply } from 'fastify';
import { creditsWarning } from '../text/counted.js';
import { errorBody, problemDetails, problemType, wantsProblemDetails } from './error-body.js';
import { InsufficientCreditsError } from './gateway-errors.js';

const retryAfterSeconds = '1';

/**
 * Answers with an error: its status, the headers that go with it and our error body, or of RFC 9457 for clients
 * that ask for it.
 */
export function sendError(reply: FastifyReply, error: ServiceError): void {
  const { status } = httpErrorByCode[error.code];
  if (error instanceof RefusedError) reply.isRefusal = true;
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  // A client that is still sending would be reset, and not see the answer. The rest is read and thrown away instead, within the
  // time that a request may take.
  if (status === 413) reply.removeHeader('connection');
  const isLimit = status === 429 && !reply.hasHeader('retry-after');
  if (status === 503 || isLimit) void reply.header('retry-after', retryAfterSeconds);
  if (error instanceof InsufficientCreditsError) {
    const warning = creditsWarning(error.creditsRemaining);
    if (warning !== undefined) void reply.header('x-credits-warning', warning);
  }
  const body = errorBody(error);
  const { headers, id } = reply.request;
  void reply.code(status);
  if (wantsProblemDetails(headers.accept)) {
    void reply.type(problemType).send(JSON.stringify(problemDetails(error.code, status, body, id)));
  } else {
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
}
