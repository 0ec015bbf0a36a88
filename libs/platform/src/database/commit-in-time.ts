import { ServiceError } from '@app/contracts';
import { type StatementName } from './query.js';

/** Time until the caller's time-out, ms; negative after it. */
export type RemainingMs = () => number;

/** A change is refused this long before its caller's time-out: the reply takes time too, and clocks differ slightly. */
const marginMs = 100;

const endWhenIdle = `
  SELECT set_config(name, least($1::integer, nullif(setting::integer, 0))::text, true)
  FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;

/**
 * The last statement of a change before its COMMIT: throws `deadline_exceeded` when the caller has timed out, or is
 * about to. A process paused between this and the COMMIT can't commit later either, because PostgreSQL has ended its
 * session by then. So a change reported as failed is never applied, and never applied after newer ones.
 */
export async function commitInTime(
  query: (name: StatementName, sql: string, parameters: unknown[]) => Promise<unknown>,
  remainingMs: RemainingMs,
): Promise<void> {
  for (;;) {
    const asked = remainingMs();
    if (asked <= marginMs) throw callerGaveUp();
    await query('end session when idle', endWhenIdle, [Math.ceil(asked - marginMs)]);
    // PostgreSQL counts from its answer. If that took longer than the margin, the session would live too long.
    if (asked - remainingMs() < marginMs) return;
  }
}

function callerGaveUp(): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    'The change could not be completed in time; try again shortly.',
  );
}
