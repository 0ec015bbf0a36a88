import { invalidRequest } from '#http';
import { type ErrorDetails, fieldsOf, isRecord, readShape, ServiceError, type ShapeClass } from '#contracts';
import { counted } from '../../text/counted.js';

/** Arguments as a client sent them, not validated. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a call of a tool as models send them: also as JSON in a string, and `null`, an empty string or an empty list for
 * none. What can't be understood is returned as it is; the protocol refuses it.
 */
export function readableArguments(given: unknown): unknown {
  if (given === null || given === undefined) return {};
  const value = typeof given === 'string' ? jsonIn(/^\s*(null\s*)?$/.test(given) ? '{}' : given) : given;
  return Array.isArray(value) && value.length === 0 ? {} : value;
}

/**
 * Arguments as a shape, by the rules of the API, from what models send: `null` for what they left out, a number as a string, a list as
 * JSON in a string, and one item for a list of one. Nothing else is guessed: a call must not become another one that costs
 * credits. Throws `invalid_request` that names every invalid argument.
 */
export function readArguments<Shape extends object>(Class: ShapeClass<Shape>, given: ToolArguments): Shape {
  const values: Record<string, unknown> = { ...given };
  const problems = Object.create(null) as ErrorDetails;
  for (const [name, { schema }] of fieldsOf(Class)) {
    const value = Object.hasOwn(given, name) ? given[name] : null;
    values[name] = undefined;
    if (value === null || value === undefined) continue;
    if (schema.type === 'array') values[name] = listIn(value);
    else if (typeof value !== 'string' && typeof value !== 'number') {
      problems[name] = [`${name} must be a string or a number`];
    } else if (String(value).trim() === '') {
      problems[name] = [`${name} must not be empty; leave it out instead`];
    } else values[name] = String(value).trim();
  }
  const reading = { strict: true, noun: 'argument', fromQuery: true, problems } as const;
  const { shape, details } = readShape(Class, values, reading);
  if (details) throw invalidRequest(details);
  return shape;
}

/** A list, whose items have no fields that are `null`. */
function listIn(given: unknown): unknown[] {
  const value = typeof given === 'string' ? jsonIn(given) : given;
  return [value].flat().map((one: unknown) => {
    const item = typeof one === 'string' ? jsonIn(one) : one;
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).filter(([, field]) => field !== null));
  });
}

/** The object or list that a string holds as JSON; any other string is itself. */
function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/**
 * Throws `invalid_request` when the call could cost more than `max_credits`. That is decided from the arguments, before
 * anything is looked up: a refusal that came afterwards would say for free whether creators match.
 */
export function assertWithinMaxCredits(
  maxCredits: number | undefined,
  creditsMax: number,
  whatCosts: string,
): void {
  if (maxCredits === undefined || creditsMax <= maxCredits) return;
  const sentence = `${whatCosts} ${counted(creditsMax, 'credit')}, more than max_credits (${maxCredits})`;
  throw new ServiceError('invalid_request', `${sentence}. Nothing was done and nothing charged.`, {
    details: { max_credits: [`max_credits must be at least ${creditsMax} for this call`] },
  });
}
