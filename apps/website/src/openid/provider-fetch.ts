import { messageOf } from '#platform';
import { type CustomFetch } from 'openid-client';
import { IdentityRefusal } from './identity-refusal.js';

/** The largest answer: metadata, keys, tokens with hundreds of groups. */
const bytesMax = 262_144;

/**
 * Asks the provider until `deadline`, which holds for the whole answer. Throws `provider_unavailable` when it does not come
 * in time or says that the provider can't answer now, and `answer_refused` when it is too large.
 */
export function providerFetch(deadline: AbortSignal): CustomFetch {
  return async (url, { body, headers, method, redirect }) => {
    try {
      // The library sends forms, or nothing.
      const form = body instanceof URLSearchParams ? body.toString() : null;
      const response = await fetch(url, { body: form, headers, method, redirect, signal: deadline });
      const { status } = response;
      if (status >= 500 || status === 429) {
        await response.body?.cancel();
        throw new IdentityRefusal('provider_unavailable', { problem: `answered ${pathOf(url)}`, status });
      }
      return new Response(await read(response, url), { status, headers: response.headers });
    } catch (error) {
      if (error instanceof IdentityRefusal) throw error;
      const problem = `${pathOf(url)}: ${deadline.aborted ? 'no answer in time' : reasonOf(error)}`;
      throw new IdentityRefusal('provider_unavailable', { problem });
    }
  };
}

async function read(response: Response, url: string): Promise<string | null> {
  if (!response.body) return null;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) {
      throw new IdentityRefusal('answer_refused', { problem: `the answer of ${pathOf(url)} is too large` });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** A URL for the log: without anything but where it leads. */
function pathOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** `fetch` hides why a connection failed in its cause. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
