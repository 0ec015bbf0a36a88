import { ServiceError } from '@app/contracts';
import { type Logger } from '@app/platform';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { isRefusal } from '../../errors/refused.error.js';
import { callOfRequest } from '../calls/call-of-request.js';
import { answerOutsideRoutes } from '../answers/malformed-request.js';
import { type ApiName, observeRequests } from './observe-requests.js';
import { boundHeaders, headersMax } from '../requests/bounded-headers.js';
import { refuseRepeatedHeaders } from '../requests/repeated-headers.js';
import { responseHeaders } from '../answers/response-headers.js';

const urlLengthMax = 8_192;
const tooManyHeaders = new ServiceError(
  'headers_too_large',
  `The request has too many headers; send at most ${headersMax}.`,
);

/**
 * Hooks for every request to either API: an id, no caching, a host, bounds on the URL and the headers, one log line. Call
 * after `takeTurns`.
 */
export function addCommonHooks(server: FastifyInstance, api: ApiName, logger: Logger): void {
  observeRequests(server, api);
  answerOutsideRoutes(server.server);
  boundHeaders(server);
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).headers(responseHeaders);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      const sentence = 'the Host header is missing';
      throw new ServiceError('invalid_request', `This is not a valid HTTP request: ${sentence}.`, {
        details: { host: [sentence] },
      });
    }
    if (request.raw.rawHeaders.length > 2 * headersMax) throw tooManyHeaders;
    if ((request.raw.url ?? '').length > urlLengthMax) {
      throw new ServiceError('uri_too_long', `The URL is too long; send at most ${urlLengthMax} characters.`);
    }
  });
  refuseRepeatedHeaders(server);
  server.addHook('onResponse', async (request, reply) => {
    // Under overload there are thousands a second, so they are counted, not logged.
    if (isRefusal(reply)) return;
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...callerOf(request),
      },
      'request',
    );
  });
}

function callerOf(request: FastifyRequest): Record<string, string> {
  const call = callOfRequest(request);
  return call ? { account_id: call.key.account_id, key_prefix: call.key.prefix } : {};
}
