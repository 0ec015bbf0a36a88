import { setTimeout as pause } from 'node:timers/promises';
import { type WireAnswer } from '#testing';
import fc from 'fast-check';
import { type Delivery } from '../../support/deliveries.js';
import { WireConnection } from '../../support/wire-connection.js';
import { deliveriesOf, type Target, textOf, type WireRequest, wireRequest } from './wire-requests.js';

const manners = ['reads', 'half-closes', 'reads slowly', 'leaves early'] as const;

/** Requests that are written to one connection at once, by a client that misbehaves. */
export interface HostileConnection {
  readonly kind: (typeof manners)[number];
  readonly requests: readonly WireRequest[];
  /** Written after them. */
  readonly rubbish: string;
  /** How many bytes are read at a time, or before the client leaves. */
  readonly readBytes: number;
  readonly pauseMs: number;
  /** Leaves with a reset. */
  readonly isReset: boolean;
}

export interface Played {
  readonly answers: readonly WireAnswer[];
  readonly deliveries: readonly Delivery[];
  /** Each of the requests has to have been answered. */
  readonly isComplete: boolean;
}

const requestsMost = 20;
/** No client reads more slowly than the server waits. */
const slowForMs = 500;
const answeredWithinMs = 20_000;

/** Such connections with these keys; a tenth of the requests has no key. */
export function hostileConnections(
  keys: readonly string[],
  creator: { readonly slug: string; readonly word: string },
): fc.Arbitrary<HostileConnection> {
  const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };
  const targets: readonly Target[] = [
    profile,
    profile,
    profile,
    { path: `/api/public/v1/search?q=${creator.word}&min_followers=1`, credits: 3 },
    { path: '/api/public/v1/search?country=nowhere', credits: 0 },
    { path: '/api/public/v1/search?limit=0', credits: 0 },
    { path: '/api/public/v1/creators/nobody', credits: 0 },
    { path: '/api/public/v1/creators/%ff', credits: 0 },
    { path: '/nothing/here', credits: 0 },
    { ...profile, method: 'DELETE', credits: 0 },
  ];
  const call = fc.tuple(fc.constantFrom(...targets), fc.integer({ min: 1, max: 10 }));
  return fc.constantFrom(...keys).chain((key) =>
    fc.record({
      kind: fc.constantFrom(...manners),
      requests: fc
        .array(call, { minLength: 1, maxLength: requestsMost })
        .map((calls) => calls.map(([target, draw]) => wireRequest(target, draw === 1 ? undefined : key))),
      rubbish: fc.oneof(
        { arbitrary: fc.constant(''), weight: 5 },
        fc.constantFrom('\u0000\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /half'),
      ),
      readBytes: fc.constantFrom(200, 2_000, 20_000).chain((max) => fc.integer({ min: 1, max })),
      pauseMs: fc.nat(60),
      isReset: fc.boolean(),
    }),
  );
}

/** Does what such a client does; returns its answers, and what it knows of each request. */
export async function playConnection(origin: string, hostile: HostileConnection): Promise<Played> {
  const { kind, requests, rubbish } = hostile;
  const connection = await WireConnection.open(origin, { isPaused: true });
  const text = textOf(requests) + rubbish;
  if (kind === 'half-closes') await connection.halfClose(text);
  else await connection.send(text);
  if (kind === 'leaves early') return leave(connection, hostile);
  if (kind === 'reads slowly') await readSlowly(connection, hostile);
  connection.read();
  const end = await Promise.race([
    connection.whenAnswered(requests.length).catch(() => connection.ended),
    pause(answeredWithinMs, 'too late', { ref: false }),
  ]);
  connection.close();
  // What is behind an end in good order was never handed over; rubbish may end a connection before its time.
  const leftMost = end === 'end' ? 0 : requests.length;
  return {
    answers: connection.answers,
    deliveries: deliveriesOf(requests, connection.answers, leftMost),
    isComplete: rubbish === '',
  };
}

async function leave(
  connection: WireConnection,
  { requests, readBytes, pauseMs, isReset }: HostileConnection,
): Promise<Played> {
  connection.read(readBytes);
  await pause(pauseMs);
  if (isReset) connection.reset();
  else connection.close();
  const { answers } = connection;
  return { answers, deliveries: deliveriesOf(requests, answers), isComplete: false };
}

async function readSlowly(
  connection: WireConnection,
  { requests, readBytes, pauseMs }: HostileConnection,
): Promise<void> {
  for (const since = performance.now(); performance.now() - since < slowForMs; await pause(pauseMs)) {
    connection.read(readBytes);
    if (connection.answers.length === requests.length) return;
  }
}
