import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type DeprecationHeaders } from './deprecation-headers.js';

/** Sets the headers on every answer of the server to a path below `prefix`, errors and unknown paths too. */
export function announceDeprecation(
  server: FastifyInstance,
  prefix: string,
  headers: DeprecationHeaders,
): void {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    addDeprecation(reply, prefix, headers);
    done();
  });
  // Answered before Fastify sees the request: the other listener writes the head.
  server.server.prependListener(
    'checkExpectation',
    ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      if (!isBelow(prefix, url)) return;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
  );
}

/** Sets the headers on an answer to a path below `prefix`; its own links are kept. */
export function addDeprecation(reply: FastifyReply, prefix: string, headers: DeprecationHeaders): void {
  if (!isBelow(prefix, reply.request.raw.url ?? '')) return;
  const { link, ...others } = headers;
  void reply.headers(others);
  if (link === undefined) return;
  const links = reply.getHeader('link');
  void reply.header('link', links === undefined ? link : `${String(links)}, ${link}`);
}

/** Whether the path of a URL, as the router reads it, is `prefix` or below it. */
function isBelow(prefix: string, url: string): boolean {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/, 1);
  const decoded = decode(path);
  return decoded === prefix || decoded.startsWith(`${prefix}/`);
}

/** A path that can't be decoded as it stands. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
