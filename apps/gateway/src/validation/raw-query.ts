import { type ErrorDetails, fieldsOf, knownNames, type ShapeClass, shownName } from '#contracts';

/** The query of a request as it was written: names and values in their order, `null` for what is not percent-encoded UTF-8. */
export class RawQuery {
  /** What Fastify wants of the result of a parser. */
  readonly [name: string]: unknown;

  constructor(
    readonly pairs: readonly (readonly [name: string | null, value: string | null, written: string])[],
  ) {}

  /**
   * Parses what is behind the `?` of a URL. Names are taken literally, so `limit[x]` or `__proto__` is just an unknown
   * name. Never throws: the router calls it where nothing catches.
   */
  static parse(this: void, text: string): RawQuery {
    const pairs = text.split('&').filter((pair) => pair !== '');
    return new RawQuery(
      pairs.map((pair) => {
        const equals = pair.indexOf('=');
        const name = equals === -1 ? pair : pair.slice(0, equals);
        return [decode(name), decode(equals === -1 ? '' : pair.slice(equals + 1))?.trim() ?? null, name];
      }),
    );
  }

  /** The values of the fields of a shape, and what is wrong with the other pairs: a typo must not cost credits. */
  valuesFor(Class: ShapeClass): { readonly values: Record<string, string>; readonly problems: ErrorDetails } {
    const fields = fieldsOf(Class);
    const values = Object.create(null) as Record<string, string>;
    const problems = Object.create(null) as ErrorDetails;
    for (const [name, value, written] of this.pairs) {
      if (name === null || !fields.has(name)) {
        const shown = shownName(name ?? written);
        problems[shown] = [`${shown} is not a known parameter; ${knownNames('parameter', fields)}`];
        hintAtEncoding(values, problems);
        continue;
      }
      const problem = problemOf(name, value, values);
      if (problem !== null) problems[name] = [problem];
      else if (value !== null) values[name] = value;
    }
    return { values, problems };
  }
}

function problemOf(
  name: string,
  value: string | null,
  seen: Readonly<Record<string, string>>,
): string | null {
  if (name in seen) return `${name} must be given once`;
  if (value === null) return `${name} must be percent-encoded UTF-8`;
  if (value === '') return `${name} must not be empty; leave it out instead`;
  return null;
}

/** Unknown parameters after a link with a query of its own are most probably the link's. */
function hintAtEncoding(values: Readonly<Record<string, string>>, problems: ErrorDetails): void {
  for (const [name, value] of Object.entries(values)) {
    if (!/[./].*\?/.test(value)) continue;
    problems[name] = [`${name} must be percent-encoded: an & in it begins another parameter`];
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
