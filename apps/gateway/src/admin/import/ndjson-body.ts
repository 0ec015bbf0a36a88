import { ServiceError } from '#contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Readable } from 'node:stream';

export const ndjsonType = 'application/x-ndjson';
const lineTypes: ReadonlySet<string> = new Set([
  ndjsonType,
  'application/ndjson',
  'application/jsonl',
  'application/json',
  'application/json-lines',
  'text/plain',
  'application/octet-stream',
]);

/**
 * Passes the body of the route `url` to its handler as a stream without a size limit, for each content type in use for
 * NDJSON. All other routes keep their parsers and limit.
 */
export function streamNdjsonBody(server: FastifyInstance, url: string): void {
  server.addContentTypeParser(ndjsonType, (request, payload, done) => {
    if (request.routeOptions.url === url) done(null, payload);
    else done(unsupportedType('application/json'));
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === url) treatAsLines(request);
    done();
  });
}

/**
 * The bytes of a request. Leaving the loop early keeps the connection open for the answer and discards the rest of the
 * body as it arrives: a client that is blocked in writing would never read the answer.
 */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    body.resume();
  }
}

function treatAsLines({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? ndjsonType).split(';');
  if (!lineTypes.has(type.trim().toLowerCase())) throw unsupportedType(ndjsonType);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      'A compressed body is not supported; send plain NDJSON.',
    );
  }
  headers['content-type'] = ndjsonType;
}

function unsupportedType(expected: string): ServiceError {
  return new ServiceError('unsupported_media_type', `The body must be sent with Content-Type: ${expected}.`);
}
