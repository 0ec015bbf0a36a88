import { type ParameterObject } from 'openapi3-ts/oas31';
import { idempotencyKeyPattern } from '../http/requests/idempotency-key-header.js';

/** Of the calls that cost credits. It has no example: the reference page would send that one with every call. */
export const idempotencyKeyParameter: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A new one for each call (a UUID will do), the same one to repeat it: within 15 minutes of a paid call, repeating it with the same API key costs nothing (`idempotent-replayed: true`).',
  schema: { type: 'string', pattern: idempotencyKeyPattern.source },
};

/** Of the calls whose answers have an `etag`. */
export const ifNoneMatchParameter: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `etag` of the answer that you have, or several: while one of them holds, the answer is a 304 without a body, and free. For profiles `*` counts as no tag.',
  schema: { type: 'string' },
};
