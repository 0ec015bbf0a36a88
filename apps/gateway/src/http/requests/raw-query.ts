import { type ErrorDetails } from '@app/contracts';

const shownNameLengthMax = 60;

/** Query parameters: each name once, each value trimmed and not blank. */
export type QueryValues = ReadonlyMap<string, string>;

/** What a caller asked for: values that can be judged, and what is wrong with the others. */
export interface ParsedQuery {
  readonly values: QueryValues;
  readonly problems: ErrorDetails;
}

/**
 * Reads a raw query string. Names are taken literally, so `limit[x]` or `__proto__` is just an unknown name. Problems
 * are collected under their parameter in `problems`: a typo must not cost credits (design 5).
 */
export function parseQuery(url: string, known: readonly string[]): ParsedQuery {
  const values = new Map<string, string>();
  const problems = new Map<string, string[]>();
  const question = url.indexOf('?');
  const pairs = question === -1 ? [] : url.slice(question + 1).split('&');
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1))?.trim() ?? null;
    const problem = problemOf(name, value, known, values);
    if (problem !== null) problems.set(shown(name ?? rawName), [problem]);
    if (name !== null && value !== null && known.includes(name)) values.set(name, value);
  }
  return { values, problems: Object.fromEntries(problems) };
}

function problemOf(
  name: string | null,
  value: string | null,
  known: readonly string[],
  seen: QueryValues,
): string | null {
  if (name === null || !known.includes(name)) {
    const choice = known.length === 0 ? 'this path takes none' : `the parameters are ${known.join(', ')}`;
    return `not a known parameter; ${choice}`;
  }
  if (seen.has(name)) return `${name} must be given once`;
  if (value === null) return `${name} must be percent-encoded UTF-8`;
  if (value === '') return `${name} must not be empty; leave it out instead`;
  return null;
}

/** `null` for what is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** A name that somebody sent, cut short for an error. */
export function shown(name: string): string {
  return name.length <= shownNameLengthMax ? name : `${name.slice(0, shownNameLengthMax)}...`;
}
