import { type ErrorDetails } from '@app/contracts';
import { type ParsedQuery, shown } from '../../http/requests/raw-query.js';
import { type ToolArguments } from './tool.js';

/** Of the unknown arguments of a call, no more are named. */
const unknownNamedMax = 10;

/**
 * Arguments as the parameters of the API would be written, so that the same rules judge both. Some clients send `null`
 * for what their model left out, and a number as a string; both are understood.
 */
export function readArguments(toolArguments: ToolArguments, known: readonly string[]): ParsedQuery {
  const values = new Map<string, string>();
  const problems: ErrorDetails = unknownArguments(toolArguments, known);
  for (const name of known) {
    const value = Object.hasOwn(toolArguments, name) ? toolArguments[name] : null;
    if (value === null || value === undefined) continue;
    const text = asText(value);
    if (text === null) problems[name] = [`${name} must be a string or a number`];
    else if (text === '') problems[name] = [`${name} must not be empty; leave it out instead`];
    else values.set(name, text);
  }
  return { values, problems };
}

/** What is wrong with arguments that the tool does not have. */
export function unknownArguments(toolArguments: ToolArguments, known: readonly string[]): ErrorDetails {
  const unknown = Object.keys(toolArguments).filter((name) => !known.includes(name));
  const choice = known.length === 0 ? 'this tool takes none' : `the arguments are ${known.join(', ')}`;
  const sentence = `not a known argument; ${choice}`;
  return Object.fromEntries(unknown.slice(0, unknownNamedMax).map((name) => [shown(name), [sentence]]));
}

function asText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null;
}
