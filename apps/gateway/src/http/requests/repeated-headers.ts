import { ServiceError } from '@app/contracts';
import { type FastifyInstance } from 'fastify';

/**
 * Single-value headers of which Node would silently take the first, while a proxy in front may have used another one.
 * Node joins other repeated headers, and refuses a second Content-Length itself.
 */
const decidingHeaders: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** Refuses every request that has such a header more than once. Call before the server is ready. */
export function refuseRepeatedHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const name = repeatedHeader(request.raw.rawHeaders);
    done(name === undefined ? undefined : repeated(name));
  });
}

/** `rawHeaders`: names and values, in turn. */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!decidingHeaders.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function repeated(name: string): ServiceError {
  const sentence = `${name} must be sent once`;
  return new ServiceError('invalid_request', `This is not a valid HTTP request: ${sentence}.`, {
    details: { [name]: [sentence] },
  });
}
