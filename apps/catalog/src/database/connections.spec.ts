import { catalogConnection, catalogIndexConnection } from './connections.js';

const url = 'postgres://127.0.0.1/catalog';

it.each([
  ['a message', catalogConnection(url)],
  ['the reading of an index', catalogIndexConnection(url)],
])(
  '%s waits longer than the server works on a statement, but not for ever',
  (_name, { sessionSettings, answerTimeoutMs }) => {
    expect(answerTimeoutMs).toBeGreaterThan(Number(sessionSettings?.statement_timeout));
    expect(answerTimeoutMs).toBeLessThan(2 * 60_000);
  },
);
