import { type IncomingHttpHeaders } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { noteWork } from './work-of-request.js';

/** More than any browser or client library sends; parsing ten times as much would cost more than the rest of a call. */
const lengthMax = 512;

/** What receiving a long one has cost already. */
const longHeaderMs = 0.1;

/** Headers that are parsed for each request: lists, the most important item first. */
const lists = ['accept', 'accept-encoding', 'content-type', 'if-none-match'] as const;

/** As many as other servers take. */
export const headersMax = 100;

/** Has headers that are parsed read up to a small bound: what is behind it counts as not sent. */
export function boundHeaders(server: FastifyInstance): void {
  // One more than there may be, to see that there are too many; Node drops the others.
  server.server.maxHeadersCount = headersMax + 1;
  server.addHook('onRequest', (request, _reply, done) => {
    if (boundLists(request.raw.headers)) noteWork(request, longHeaderMs);
    done();
  });
}

/** Whether one of them was too long. */
export function boundLists(headers: IncomingHttpHeaders): boolean {
  let isLong = false;
  for (const name of lists) {
    const value = headers[name];
    if (value === undefined || value.length <= lengthMax) continue;
    headers[name] = beginningOf(value);
    isLong = true;
  }
  const { 'x-forwarded-for': forwarded } = headers;
  // Each proxy adds to its end what it knows itself.
  if (typeof forwarded === 'string' && forwarded.length > lengthMax) {
    headers['x-forwarded-for'] = endOf(forwarded);
    isLong = true;
  }
  return isLong;
}

/** Whole items, as far as there is a comma. */
function beginningOf(list: string): string {
  const start = list.slice(0, lengthMax);
  const comma = start.lastIndexOf(',');
  return comma === -1 ? start : start.slice(0, comma);
}

function endOf(list: string): string {
  const end = list.slice(-lengthMax);
  return end.slice(end.indexOf(',') + 1);
}
