import { ServiceError } from '#contracts';

/** Node's error codes for an unreachable server or a lost connection. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** SQLSTATEs of transient failures: the same message may succeed a moment later. */
const sqlStates = new Set([
  '25006', // read_only_sql_transaction: a standby, before the pool meets the new primary
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
]);
const connectionException = /^08[0-9A-Z]{3}$/;

/** The driver's messages for a lost or missing connection; these errors have no code. */
const driverMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout (exceeded|expired)|Query read timeout|Cannot use a pool after calling end|Driver not Connected)/;

/** The SQLSTATE or network code behind a database error, wrapped by the ORM or not; `null` when there is none. */
export function databaseCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return error.errors.map(databaseCode).find(Boolean) ?? null;
  return 'driverError' in error ? databaseCode(error.driverError) : null;
}

/** Whether PostgreSQL is temporarily unavailable and the statement itself is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== null && (networkCodes.has(code) || sqlStates.has(code) || connectionException.test(code))) {
    return true;
  }
  return error instanceof Error && driverMessages.test(error.message);
}

const writeProblems = new Map([
  ['25006', 'read-only'],
  ['53100', 'disk full'],
]);

/** Why a database can't be written to, in words for its operators; `null`: that is not the error. */
export function writeProblem(error: unknown): string | null {
  return writeProblems.get(databaseCode(error) ?? '') ?? null;
}

/** Codes of a deadlock, of a row that another transaction inserted first (a retry finds it), and of a lost connection. */
const repeatable = /^(40001|40P01|23505|57P01|08[0-9A-Z]{3}|ECONNRESET|EPIPE)$/;

/** Whether the same transaction, run again at once, is likely to succeed. */
export function isWorthRepeating(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== null) return repeatable.test(code);
  return error instanceof Error && /^(Connection terminated|Client has encountered)/.test(error.message);
}

/**
 * Maps a transient database failure to `unavailable`, which the caller may retry under the same id: whether a lost
 * COMMIT happened is unknown here, and the id resolves it. Returns any other error unchanged.
 */
export function mapDatabaseError(error: unknown): unknown {
  if (error instanceof ServiceError || !isDatabaseUnavailable(error)) return error;
  return new ServiceError('unavailable', 'The service is temporarily unavailable; try again shortly.', {
    cause: error,
  });
}
