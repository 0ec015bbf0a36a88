import { ServiceError } from '@app/contracts';
import { type StatementName } from './query.js';

/** Time until the caller of a change gives up, in ms; negative once it has. */
export type RemainingMs = () => number;

/** A change is refused so long before its caller gives up: the reply needs time too, and clocks differ a little. */
const marginMs = 100;

const endWhenIdle = `
  SELECT set_config(name, least($1::integer, nullif(setting::integer, 0))::text, true)
  FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;

/**
 * The last statement of a change before its COMMIT: throws `deadline_exceeded` when its caller has given up, or is about to.
 * A process that is paused between this and the COMMIT does not commit later either: by then PostgreSQL has ended the
 * session. So what a caller was told has failed stays undone, and nothing comes in between newer changes.
 */
export async function commitInTime(
  query: (name: StatementName, sql: string, parameters: unknown[]) => Promise<unknown>,
  remainingMs: RemainingMs,
): Promise<void> {
  for (;;) {
    const asked = remainingMs();
    if (asked <= marginMs) throw callerGaveUp();
    await query('end session when idle', endWhenIdle, [Math.ceil(asked - marginMs)]);
    // PostgreSQL counts from its answer on. One that took longer than the margin would let the session live for too long.
    if (asked - remainingMs() < marginMs) return;
  }
}

function callerGaveUp(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The change could not be made in time; try again shortly.');
}
