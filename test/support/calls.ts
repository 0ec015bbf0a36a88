import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { api, type CallBody, type CallsBody, type PublicReply } from './public-api.js';

/** A look at calls counts in the rate limit of its key: so few are made. */
const betweenLooksMs = 200;
const looksMax = 25;

/** Makes a call with a request id of its own, or with the one given; resolves with the id. */
export async function callWithId(
  path: string,
  key: string,
  requestId: string = randomUUID(),
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  await api.get(path, key, { headers: { 'x-request-id': requestId, ...headers } });
  return requestId;
}

/** The only call with this request id, once it has ended: an answer arrives a moment before its charge is posted. */
export async function endOfCall(requestId: string, key: string): Promise<CallBody> {
  for (let look = 0; look < looksMax; look += 1) {
    const [one, ...others] = (await api.callsOf(requestId, key)).body.calls;
    if (others.length > 0) throw new Error(`more than one call has the request id ${requestId}`);
    if (one && one.state !== 'pending') return one;
    await wait(betweenLooksMs);
  }
  throw new Error(`call ${requestId} has not ended`);
}

/** The calls of all pages, following the links. */
export async function callPages(query: string, key: string): Promise<(readonly CallBody[])[]> {
  const pages: (readonly CallBody[])[] = [];
  let reply = await api.calls(key, query);
  for (;;) {
    if (reply.status !== 200) throw new Error(`status ${reply.status}: ${reply.text}`);
    pages.push(reply.body.calls);
    const path = nextPath(reply);
    if (path === undefined) return pages;
    reply = await api.get<CallsBody>(path, key);
  }
}

/** The path of the next page as the `Link` header has it; `undefined` on the last one. */
export function nextPath({ headers }: PublicReply<unknown>): string | undefined {
  const [, link] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? [];
  if (link === undefined) return undefined;
  const { pathname, search } = new URL(link, 'http://relative');
  return pathname + search;
}
