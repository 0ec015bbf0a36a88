import { type ErrorDetails, ServiceError } from './errors.js';
import { isRecord } from './shape/formats.js';
import { readShape } from './shape/read-shape.js';
import { type ShapeClass } from './shape/shape.js';

/** A class whose fields carry decorators of `shape/fields.ts`: the type of a payload and its description in one. */
export type PayloadClass<Payload extends object = object> = ShapeClass<Payload>;

/** A payload that does not match its description; `details` names each invalid field. */
export class InvalidPayloadError extends ServiceError {
  constructor(details: ErrorDetails) {
    super('invalid_request', `The request is not valid: ${Object.values(details).flat().join('; ')}.`, {
      details,
    });
  }
}

/**
 * The described fields of `value` as a `Payload`. Unknown fields are dropped, not refused: during a roll-out a newer
 * sender may send more than an older service knows. Throws `InvalidPayloadError`.
 */
export function readPayload<Payload extends object>(Class: PayloadClass<Payload>, value: unknown): Payload {
  if (!isRecord(value)) throw new InvalidPayloadError({ payload: ['the payload must be a JSON object'] });
  const { shape, details } = readShape(Class, value, { strict: false });
  if (details) throw new InvalidPayloadError(details);
  return shape;
}

/** Whether `value` matches the description of `Class`. */
export function isPayload<Payload extends object>(
  Class: PayloadClass<Payload>,
  value: unknown,
): value is Payload {
  return isRecord(value) && readShape(Class, value, { strict: false }).details === undefined;
}
