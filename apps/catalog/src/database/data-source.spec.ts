import { catalogDataSourceOptions, catalogIndexOptions } from './data-source.js';

const url = 'postgres://127.0.0.1/catalog';

/** Limits of the server's and of our own, ms. */
function limitsOf(options: { readonly extra?: unknown }): { statementMs: number; answerMs: number } {
  const { options: settings, query_timeout: answerMs } = options.extra as {
    readonly options: string;
    readonly query_timeout: number;
  };
  return { statementMs: Number(/statement_timeout=(\d+)/.exec(settings)?.[1]), answerMs };
}

it.each([
  ['a message', catalogDataSourceOptions({ url, poolSize: 1 })],
  ['the reading of an index', catalogIndexOptions(url)],
])('%s waits longer than the server works on a statement, but not for ever', (_name, options) => {
  const { statementMs, answerMs } = limitsOf(options);
  expect(answerMs).toBeGreaterThan(statementMs);
  expect(answerMs).toBeLessThan(2 * 60_000);
});
