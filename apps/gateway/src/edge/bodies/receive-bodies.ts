import { busy, networksOf } from '#http';
import { ServiceError } from '#contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Connection, headBytes } from '../connections/connection.js';
import { type Exchange } from '../connections/exchange.js';
import { limits } from '../../limits.js';
import { type Body, type BodyBudget } from './body-budget.js';

/** Bytes that are read from a connection before its request is looked at. */
const unreadBytesMax = 65_536;

/** `body`: `undefined` when it was not read. */
type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Receives the body of each request that may have one (`bodyAllowance`), whole and as it is, whatever its type: a request is
 * authenticated and counted before anything is said about its body. The body of a request that will be refused anyway is not
 * read: the refusal is sent at once. What all bodies take is bounded by `budget`.
 */
export function receiveBodies(server: FastifyInstance, budget: BodyBudget): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, _payload, done) => {
    const bytesMax = bodyAllowance(request);
    if (bytesMax === 0) return done(null);
    receive(request, bytesMax, keepFor(request, request.call.exchange, budget), done);
  });
}

/** Memory of a waiting request in addition to its head and body. */
const waitingBytes = 6_144;

/**
 * Counts the memory of a request that waits: its head, and its body, which arrives meanwhile, up to a bound, and lies in the
 * memory of its connection. To be completed when the wait is over.
 */
export function countUnread(
  request: FastifyRequest,
  exchange: Exchange,
  budget: BodyBudget,
): Pick<Body, 'complete'> {
  const body = keepFor(request, exchange, budget);
  const bytes = waitingBytes + headBytes(request.raw) + Math.min(announcedBytes(request), unreadBytesMax);
  if (!body.add(bytes)) body.hangUp();
  if (!isInChunks(request)) return body;
  const connection = Connection.of(request.raw.socket);
  connection.stopReading(request.raw);
  const complete = (): void => {
    body.complete();
    connection.continueReading();
  };
  return { complete };
}

/** Whether the head of a request does not say how long its body is. */
export function isInChunks({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** The body that the head of a request announces, as far as it may be read. */
export function announcedBytes(request: FastifyRequest): number {
  const { bodyLimit } = request.routeOptions;
  return isInChunks(request)
    ? bodyLimit
    : Math.min(Number(request.headers['content-length'] ?? 0), bodyLimit);
}

/** Kept until the request ends. */
function keepFor(request: FastifyRequest, exchange: Exchange, budget: BodyBudget): Body {
  const body = budget.begin(networksOf(request.ip), () => request.raw.socket.destroy());
  exchange.onEnd(() => body.release());
  return body;
}

function receive(request: FastifyRequest, bytesMax: number, body: Body, done: Done): void {
  const { raw, headers } = request;
  let whole = Buffer.alloc(0);
  let received = 0;
  const end = (error: Error | null, content?: Buffer): void => {
    raw.off('data', take).off('end', finish).off('error', fail);
    body.complete();
    done(error, content);
  };
  const take = (piece: Buffer): void => {
    const start = received;
    received += piece.length;
    if (received > bytesMax) return end(tooLarge(bytesMax));
    if (received > whole.length) {
      const longer = Buffer.allocUnsafeSlow(Math.min(bytesMax, Math.max(received, 2 * whole.length)));
      if (!body.add(longer.length - whole.length)) return end(busy);
      whole.copy(longer);
      whole = longer;
    }
    // Copied, because a client may send single bytes, and each piece of its own takes hundreds.
    piece.copy(whole, start);
  };
  const finish = (): void => end(null, whole.subarray(0, received));
  const fail = (error: Error): void => end(Object.assign(error, { statusCode: 400 }));
  if (Number(headers['content-length']) > bytesMax) return end(tooLarge(bytesMax));
  raw.on('data', take).on('end', finish).on('error', fail);
}

function tooLarge(bytesMax: number): ServiceError {
  return new ServiceError('payload_too_large', `The body is too large; send at most ${bytesMax} bytes.`);
}

/** The longest body of a request that is read, in bytes; 0 when it will be refused whatever its body is. */
function bodyAllowance(request: FastifyRequest): number {
  if (request.is404) return 0;
  const { bodyLimit, config } = request.routeOptions;
  if (request.headers.authorization === undefined) {
    return config.worksWithoutKey ? limits.bodyWithoutKey : 0;
  }
  return request.call.presentedKey.hash === undefined ? 0 : bodyLimit;
}
