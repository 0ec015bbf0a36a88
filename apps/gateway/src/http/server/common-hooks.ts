import { ServiceError } from '@app/contracts';
import { type Logger } from '@app/platform';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { takeTurns } from '../../connections/exchange-of-request.js';
import { isRefusal } from '../../errors/refused.error.js';
import { callOfRequest } from '../calls/call-of-request.js';
import { answerOutsideRoutes } from '../answers/malformed-request.js';
import { type ApiName, observeRequests } from './observe-requests.js';
import { refuseRepeatedHeaders } from '../requests/repeated-headers.js';
import { responseHeaders } from '../answers/response-headers.js';

const urlLengthMax = 8_192;

/**
 * Hooks for every request to either API: one at a time per connection, an id, no caching, a host, a bound on the URL,
 * one log line.
 */
export function addCommonHooks(server: FastifyInstance, api: ApiName, logger: Logger): void {
  takeTurns(server);
  observeRequests(server, api);
  answerOutsideRoutes(server.server);
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).headers(responseHeaders);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      const sentence = 'the Host header is missing';
      throw new ServiceError('invalid_request', `This is not a valid HTTP request: ${sentence}.`, {
        details: { host: [sentence] },
      });
    }
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
