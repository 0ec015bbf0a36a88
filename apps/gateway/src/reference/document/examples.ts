import { readFileSync } from 'node:fs';

/** Answers of a real stack, written to `examples.json` by `npm run docs`. */
export interface Examples {
  /** Bodies of successful calls, by operation and by the name of the example. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies of errors by status, as `application/json` and as `application/problem+json`. */
  readonly errors: Readonly<Record<string, { readonly json: unknown; readonly problem: unknown }>>;
  /** Values of headers by name. */
  readonly headers: Readonly<Record<string, string | number>>;
}

/** The examples that belong to this build. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Examples;
}
