import { type ConnectionOptions } from '#platform/threads';

/** A message must be answered within its caller's 5 s; an import chunk sets longer limits itself. */
export const sessionSettings = {
  statement_timeout: '4500',
  lock_timeout: '4500',
  idle_in_transaction_session_timeout: '5000',
  timezone: 'UTC',
  jit: 'off',
} as const;

/**
 * A statement unanswered for this long closes its connection: the server hangs or the network is down. Longer than
 * every limit that the server itself enforces.
 */
const answerTimeoutMs = 12_000;
/** Longest wait for rows of the index: an index whose reading never ends would never be brought up to date. */
const indexAnswerTimeoutMs = 70_000;

/** The catalog database as every replica opens it. */
export function catalogConnection(url: string): ConnectionOptions {
  return { url, applicationName: 'catalog', sessionSettings, answerTimeoutMs };
}

/** The catalog database as opened for reading an index: one long transaction that no caller waits for. */
export function catalogIndexConnection(url: string): ConnectionOptions {
  return {
    url,
    applicationName: 'catalog-index',
    sessionSettings: {
      ...sessionSettings,
      statement_timeout: '60000',
      idle_in_transaction_session_timeout: '60000',
    },
    answerTimeoutMs: indexAnswerTimeoutMs,
  };
}
