import { idempotencyKeyPattern, isTooDeep, jsonDepthMax, ServiceError } from '#contracts';
import { invalidRequest } from '#http';
import { type FastifyRequest } from 'fastify';

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
    const text = utf8.decode(body);
    if (!isTooDeep(text)) return JSON.parse(text);
  } catch {
    throw invalidBody('the body must be JSON in UTF-8');
  }
  throw tooDeep();
}

/** A body that is not looked into. */
export function tooDeep(): ServiceError {
  return invalidBody(`the body must not be nested more than ${jsonDepthMax} levels deep`);
}

function invalidBody(problem: string): ServiceError {
  return invalidRequest({ body: [problem] });
}

const name = 'Idempotency-Key';

/** The `Idempotency-Key` header of a request, if it has one. Throws `invalid_request` for one that is not valid. */
export function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const given = raw.headersDistinct[name.toLowerCase()];
  if (given === undefined) return undefined;
  const [key = '', ...others] = given;
  if (others.length > 0) throw notValid(`${name} must be given once`);
  if (!idempotencyKeyPattern.test(key)) {
    throw notValid(`${name} must be 1 to 200 visible ASCII characters, without spaces`);
  }
  return key;
}

function notValid(problem: string): ServiceError {
  return invalidRequest({ [name]: [problem] });
}
