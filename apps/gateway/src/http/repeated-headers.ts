import { ServiceError } from '@app/contracts';
import { type FastifyInstance } from 'fastify';

/**
 * Headers that decide something and have one value, of which Node would silently take the first: a proxy in front may have
 * judged another one. Node joins others that are sent twice, and refuses a second length by itself.
 */
const decidingHeaders: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** Refuses every request to a server that has such a header more than once. Call before the server is ready. */
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
