import { type IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '#contracts';
import { type FastifyReply, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { limits } from '../limits.js';

/** On every answer: it is never cached, and browsers don't interpret JSON as another type. */
export const responseHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every answer of the server in addition to `responseHeaders`: `transportSecurity`. */
    securityHeaders: Readonly<Record<string, string>>;
  }
}

/** The headers that every answer has, errors too. */
export function setCommonHeaders(request: Pick<FastifyRequest, 'id' | 'server'>, reply: FastifyReply): void {
  void reply
    .header('x-request-id', request.id)
    .headers(responseHeaders)
    .headers(request.server.securityHeaders);
}

/** `onRequest`: sets the headers of every answer, and refuses requests without a host, or with too long a head. */
export const checkHead: onRequestHookHandler = (request, reply, done) => {
  setCommonHeaders(request, reply);
  const { httpVersion, rawHeaders, url = '' } = request.raw;
  // Checked first: Node dropped the headers beyond the limit.
  if (rawHeaders.length > 2 * limits.headers) {
    const sentence = `The request has too many headers; send at most ${limits.headers}.`;
    return done(new ServiceError('headers_too_large', sentence));
  }
  if (httpVersion === '1.1' && request.headers.host === undefined) {
    return done(notValid('host', 'the Host header is missing'));
  }
  if (url.length > limits.urlLength) {
    const sentence = `The URL is too long; send at most ${limits.urlLength} characters.`;
    return done(new ServiceError('uri_too_long', sentence));
  }
  const repeated = repeatedHeader(rawHeaders);
  done(repeated === undefined ? undefined : notValid(repeated, `${repeated} must be sent once`));
};

function notValid(header: string, problem: string): ServiceError {
  return new ServiceError('invalid_request', `This is not a valid HTTP request: ${problem}.`, {
    details: { [header]: [problem] },
  });
}

/**
 * Single-value headers of which Node would silently take the first, while a proxy in front may have used another one.
 * Node joins other repeated headers, and refuses a second Content-Length itself.
 */
const decidingHeaders: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

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

/** More than any browser or client library sends; parsing ten times as much would cost more than the rest of a call. */
const listLengthMax = 512;
/** Headers that are parsed for each request, the most important item first. `If-None-Match` is only looked through, and counts whole. */
const lists = ['accept', 'accept-encoding', 'content-type'] as const;

/** `onRequest`: headers that are parsed are read up to a small bound, the rest counts as not sent. */
export const boundHeaders: onRequestHookHandler = (request, _reply, done) => {
  boundLists(request.raw.headers);
  done();
};

export function boundLists(headers: IncomingHttpHeaders): void {
  for (const name of lists) {
    const value = headers[name];
    if (value !== undefined && value.length > listLengthMax) headers[name] = beginningOf(value);
  }
}

/** Whole items, as far as there is a comma. */
function beginningOf(list: string): string {
  const start = list.slice(0, listLengthMax);
  const comma = start.lastIndexOf(',');
  return comma === -1 ? start : start.slice(0, comma);
}
