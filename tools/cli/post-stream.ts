import { request as requestHttp, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends pieces as the body of a POST, read no faster than they are taken. Resolves to the answer, also when it comes
 * before all is sent. Not by `fetch`, which keeps what it has sent in memory until the answer.
 */
export function postStream(
  url: URL,
  headers: OutgoingHttpHeaders,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const body = Readable.from(pieces, { objectMode: false });
  const request = send(url, { method: 'POST', headers });
  return new Promise<Answer>((resolve, reject) => {
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, text: read }), reject);
    });
    pipeline(body, request, (error) => {
      // An answer may come before the end of the body, and says more than that this was not read.
      if (error && !isAnswered) reject(error);
    });
  }).finally(() => body.destroy());
}
