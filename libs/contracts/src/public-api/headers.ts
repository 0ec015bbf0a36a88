import { type JsonSchema } from '../shape/shape.js';
import { freeCallLimit, keyLimit } from './limits.js';

/** A header of an answer or a request. */
export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether every answer that lists the header has it. */
  readonly required?: boolean;
}

/** The caller's own name of a call. */
export const requestIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
export const idempotencyKeyPattern = /^[!-~]{1,200}$/;

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** `closest` is a String or a Display String. */
const unknownFilter =
  '(country|category|language)(;closest=("([ !#-\\[\\]-~]|\\\\["\\\\])*"|%"([ !#$&-~]|%[0-9a-f]{2})*"))?';

/** A list of one or more. */
const listOf = (item: string): string => `^${item}(, ${item})*$`;

/** Every header of an answer that means something to a caller. */
export const answerHeaders = {
  'x-request-id': {
    required: true,
    description:
      'Identifies this call, also in our logs: the id that you sent if it is valid, otherwise a new one.',
    schema: { ...text, pattern: requestIdPattern.source },
  },
  'x-credits-warning': {
    description: 'The balance is 5 credits or fewer: a sentence with the balance.',
    schema: text,
  },
  'x-credits-used': {
    required: true,
    description: 'What this call cost, as `credits_used` in the body.',
    schema: count,
  },
  'x-credits-remaining': {
    required: true,
    description: 'The balance after this call, as `credits_remaining` in the body.',
    schema: count,
  },
  'idempotent-replayed': {
    description: 'The call repeats a paid one with the same `Idempotency-Key`, and costs nothing.',
    schema: { ...text, const: 'true' },
  },
  etag: {
    required: true,
    description:
      'Identifies this version of the answer. Send it as `If-None-Match` to find out whether the answer has changed.',
    schema: { ...text, pattern: '^W/"[A-Za-z0-9_-]+"$' },
  },
  link: {
    description:
      'When there is more: `<URL>; rel="next"`, the next page. The URL is the same call with a `cursor`, at the same price; it may be relative to the URL of the request.',
    schema: { ...text, pattern: '^<[^>]+>; rel="next"$' },
  },
  'x-filters-unknown': {
    description:
      'When no creator matches because no creator has the value of `country`, `category` or `language`: these filters, separated by commas, each with the closest value that exists if one is near: `country;closest="United Kingdom"`. A list of structured fields (RFC 9651), in which a value that is not ASCII is a Display String: `%"T%c3%bcrkiye"`.',
    schema: { ...text, pattern: `^${unknownFilter}(, ${unknownFilter}){0,2}$` },
  },
  ratelimit: {
    description:
      'The group of the limit, calls left (`r`), and seconds until one more is allowed (`t`). On a search or a profile that cost nothing also those of the group `free`, separated by a comma.',
    schema: { ...text, pattern: listOf('"[a-z]+";r=\\d+;t=\\d+') },
  },
  'ratelimit-policy': {
    description: `The limit: ${keyLimit.calls} calls in ${keyLimit.seconds} seconds, for each key and group, in the group \`lookup\` for each account (\`q\` calls in \`w\` seconds); in the group \`free\`, ${freeCallLimit.calls} for each account.`,
    schema: { ...text, pattern: listOf('"[a-z]+";q=\\d+;w=\\d+') },
  },
  'retry-after': {
    required: true,
    description: 'Seconds to wait before you try the call again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'www-authenticate': {
    required: true,
    description: 'How to authenticate.',
    schema: { ...text, const: 'Bearer' },
  },
} satisfies Record<string, Header>;

export type AnswerHeader = keyof typeof answerHeaders;

/** Headers of a request that an operation may take. They have no examples: the reference page would send those. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A new one for each call, for example a UUID; the same one to repeat a call. Within 15 minutes of a paid call, repeating it with the same API key costs nothing, up to five times (`idempotent-replayed: true`); the next one is paid.',
    schema: { ...text, pattern: idempotencyKeyPattern.source },
  },
  'If-None-Match': {
    description:
      'The `etag` of the answer that you have, or several. While one of them is current, the answer is a 304 without a body, and free. `*` is ignored.',
    schema: text,
  },
} satisfies Record<string, Header>;
