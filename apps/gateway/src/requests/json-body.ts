import { ServiceError } from '@app/contracts';
import { type FastifyRequest } from 'fastify';
import { invalidRequest } from './invalid-request.js';

const jsonType = 'application/json';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON in the body of a request of a server that keeps bodies as they are. Throws `unsupported_media_type` for another type or an
 * encoded body, `invalid_request` for what is not JSON.
 */
export function readJson(request: FastifyRequest): unknown {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== jsonType) {
    throw new ServiceError('unsupported_media_type', `The body must be sent with Content-Type: ${jsonType}.`);
  }
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'A compressed body is not supported; send plain JSON.');
  }
  return parse(request.body);
}

function parse(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidBody('the body is empty');
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw invalidBody('the body must be JSON in UTF-8');
  }
}

function invalidBody(problem: string): ServiceError {
  return invalidRequest({ body: [problem] });
}
