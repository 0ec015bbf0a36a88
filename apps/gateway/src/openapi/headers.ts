import { type HeaderObject, type HeadersObject } from 'openapi3-ts/oas31';
import { callsMax, windowSeconds } from '../rate-limit/rate-limiter.js';

const limited = `${callsMax} calls in ${windowSeconds} seconds, for each key and group`;

/** Every header of an answer that means something to a caller. `required`: wherever it is listed, it is there. */
export const headers = {
  'x-request-id': {
    required: true,
    description: 'Names this call, also in our logs: the one that you sent when it is valid, else a new one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' },
  },
  'x-credits-warning': {
    description: 'The balance is 5 credits or fewer: a sentence with the number that is left.',
    schema: { type: 'string' },
  },
  'x-credits-used': {
    required: true,
    description: 'What this call cost, as `credits_used` in the body.',
    schema: { type: 'integer', minimum: 0 },
  },
  'x-credits-remaining': {
    required: true,
    description: 'The balance after this call, as `credits_remaining` in the body.',
    schema: { type: 'integer', minimum: 0 },
  },
  'idempotent-replayed': {
    description: 'The call repeats a paid one with the same `Idempotency-Key`, and costs nothing.',
    schema: { type: 'string', const: 'true' },
  },
  etag: {
    required: true,
    description: 'Names this state of the answer: send it as `If-None-Match` to hear whether it still holds.',
    schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]+"$' },
  },
  link: {
    description:
      'When there is more than is shown: `<URL>; rel="next"`, the next page. The URL is the same call with a `cursor`, at the same price; it may be relative to the URL of the request.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  'x-filters-unknown': {
    description:
      'When no creator matches because no creator has the value of `country`, `category` or `language`: these filters, separated by commas.',
    schema: { type: 'string', pattern: '^(country|category|language)(, (category|language))*$' },
  },
  ratelimit: {
    description: 'The group of the limit, calls left (`r`), and seconds until one more is admitted (`t`).',
    schema: { type: 'string', pattern: '^"[a-z]+";r=\\d+;t=\\d+$' },
  },
  'ratelimit-policy': {
    description: `The limit: ${limited} (\`q\` calls in \`w\` seconds).`,
    schema: { type: 'string', pattern: '^"[a-z]+";q=\\d+;w=\\d+$' },
  },
  'retry-after': {
    required: true,
    description: 'Seconds to wait before the call is tried again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'www-authenticate': {
    required: true,
    description: 'How to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
  },
} satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;

/** The headers of one answer, as references to the components. */
export function headersNamed(names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
