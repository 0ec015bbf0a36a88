import {
  type ErrorDetails,
  fieldsOf,
  isRecord,
  knownNames,
  readShape,
  ServiceError,
  type ShapeClass,
  shownName,
} from '@app/contracts';
import { invalidRequest } from '../../requests/read-request.js';
import { counted } from '../../text/counted.js';

/** What a client sent; nothing about it is known yet. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Of the unknown arguments of a call, no more are named. */
const unknownNamedMax = 10;

/**
 * Arguments as a shape, by the rules of the API. Some clients send `null` for what their model left out, and a number as a
 * string; both are understood. Throws `invalid_request` that names every invalid argument.
 */
export function readArguments<Shape extends object>(Class: ShapeClass<Shape>, given: ToolArguments): Shape {
  const fields = fieldsOf(Class);
  const values = Object.create(null) as Record<string, unknown>;
  const problems = Object.create(null) as ErrorDetails;
  const unknown = Object.keys(given).filter((name) => !fields.has(name));
  for (const name of unknown.slice(0, unknownNamedMax)) {
    const shown = shownName(name);
    problems[shown] = [`${shown} is not a known argument; ${knownNames('argument', fields)}`];
  }
  for (const [name, { of }] of fields) {
    const value = Object.hasOwn(given, name) ? given[name] : null;
    if (value === null || value === undefined) continue;
    if (of) values[name] = withoutNulls(value);
    else if (typeof value !== 'string' && typeof value !== 'number') {
      problems[name] = [`${name} must be a string or a number`];
    } else if (String(value).trim() === '') {
      problems[name] = [`${name} must not be empty; leave it out instead`];
    } else values[name] = String(value).trim();
  }
  const { shape, details } = readShape(Class, values, { strict: true, fromQuery: true, problems });
  if (details) throw invalidRequest(details);
  return shape;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
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
