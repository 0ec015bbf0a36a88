import { validateSync } from 'class-validator';
import { type ErrorDetails, ServiceError } from '../errors.js';
import { type DescribedField, describedFields, isValid } from './described-fields.js';
import { isRecord } from './is-record.js';

/** A class whose fields carry decorators of `fields.ts`: the type of a payload and its description in one. */
export type PayloadClass<Payload extends object = object> = new () => Payload;

/** A payload that does not match its description; `details` names each invalid field. */
export class InvalidPayloadError extends ServiceError {
  constructor(details: ErrorDetails) {
    super('invalid_request', `The request is not valid: ${Object.values(details).flat().join('; ')}.`, {
      details,
    });
  }
}

const described = new WeakMap<PayloadClass, readonly DescribedField[]>();

function fieldsIn(Payload: PayloadClass): readonly DescribedField[] {
  const known = described.get(Payload);
  if (known) return known;
  const fields = describedFields(Payload);
  described.set(Payload, fields);
  return fields;
}

/** The names of the fields that a class describes; empty for a class without descriptions. */
export function fieldsOf(Payload: PayloadClass): readonly string[] {
  return fieldsIn(Payload).map(({ name }) => name);
}

/**
 * The described fields of `value` as a `Payload`. Unknown fields are dropped, not refused: during a roll-out a newer
 * sender may send more than an older service knows. Throws `InvalidPayloadError`.
 */
export function readPayload<Payload extends object>(Class: PayloadClass<Payload>, value: unknown): Payload {
  const { payload, details } = inspect(Class, value);
  if (details) throw new InvalidPayloadError(details);
  return payload;
}

/** Whether `value` matches the description of `Class`. */
export function isPayload<Payload extends object>(
  Class: PayloadClass<Payload>,
  value: unknown,
): value is Payload {
  return inspect(Class, value).details === undefined;
}

interface Inspected<Payload> {
  readonly payload: Payload;
  readonly details?: ErrorDetails;
}

function inspect<Payload extends object>(Class: PayloadClass<Payload>, value: unknown): Inspected<Payload> {
  const payload = new Class();
  if (!isRecord(value)) return { payload, details: { payload: ['the payload must be a JSON object'] } };
  const fields = fieldsIn(Class);
  // Own fields only, so that `__proto__` or `constructor` in the JSON has no effect.
  for (const { name } of fields) if (Object.hasOwn(value, name)) Reflect.set(payload, name, value[name]);
  if (isValid(payload, fields)) return { payload };
  const errors = validateSync(payload, { validationError: { target: false, value: false } });
  const sentences = errors.map(
    ({ property, constraints = {} }) => [property, Object.values(constraints)] as const,
  );
  return { payload, details: Object.fromEntries(sentences) };
}
