import { type WireAnswer } from '#testing';
import { creditsOf, type Delivery } from '../../support/deliveries.js';

/** One request as it is written to a connection. */
export interface WireRequest {
  readonly requestId: string;
  readonly text: string;
  /** What a success costs. */
  readonly credits: number;
}

export interface Target {
  readonly path: string;
  /** What a success costs. */
  readonly credits: number;
  /** Default: GET. */
  readonly method?: string;
}

let count = 0;

/** A request without a body, with an id of its own; every id is as long as the next. */
export function wireRequest({ path, credits, method = 'GET' }: Target, key?: string): WireRequest {
  const requestId = `wire-${String(count++).padStart(9, '0')}`;
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const text = `${method} ${path} HTTP/1.1\r\nHost: a\r\n${authorization}X-Request-Id: ${requestId}\r\n\r\n`;
  return { requestId, text, credits: key === undefined ? 0 : credits };
}

/** `number` requests, the keys in turn. */
export function wireRequests(number: number, target: Target, keys: readonly string[]): WireRequest[] {
  return Array.from({ length: number }, (_, index) => wireRequest(target, keys[index % keys.length]));
}

export function textOf(requests: readonly WireRequest[]): string {
  return requests.map(({ text }) => text).join('');
}

/** What became of the requests of one connection: of those without an answer at the client, the ones from `leftMost` on never left whole. */
export function deliveriesOf(
  requests: readonly WireRequest[],
  answers: readonly WireAnswer[],
  leftMost = requests.length,
): Delivery[] {
  const answered = new Map(answers.map((answer) => [requestIdOf(answer), answer]));
  return requests.map(({ requestId, credits }, index) => {
    const answer = answered.get(requestId);
    if (answer) return { requestId, arrived: 'whole', credits: creditsOf(answer) };
    return { requestId, arrived: index < leftMost ? 'perhaps' : 'no', credits };
  });
}

function requestIdOf({ head }: WireAnswer): string {
  return /^x-request-id: *(\S+)/im.exec(head)?.[1] ?? '';
}
