/** The configured times of a shutdown, ms. */
interface ShutdownConfig {
  readonly SHUTDOWN_MS: number;
  readonly DRAIN_MS: number;
  readonly REQUEST_DEADLINE_MS: number;
}

/** The latest end of each phase of a shutdown, ms after the signal. */
export interface ShutdownTimes {
  /** New requests are accepted until then. */
  readonly drainedMs: number;
  /** Requests in progress are answered by then; others are cut off. */
  readonly answeredMs: number;
  /** Billing has acknowledged the settlements by then; other charges are left to their time-out. */
  readonly settledMs: number;
}

/** Share of the shutdown for answering; a fifth is for settlements, a twentieth for closing connections. */
const answeredShare = 0.75;
const settledShare = 0.95;

/**
 * All times of a gateway's shutdown, derived from `SHUTDOWN_MS`. A phase that ends early leaves its time to later ones.
 */
export function shutdownTimes(config: ShutdownConfig): ShutdownTimes {
  const { SHUTDOWN_MS: endedMs, DRAIN_MS: drainedMs } = config;
  const answeredMs = Math.floor(endedMs * answeredShare);
  return { drainedMs, answeredMs, settledMs: Math.floor(endedMs * settledShare) };
}

/** A request accepted at the last moment must have its whole deadline. */
export function shutdownProblems(config: Partial<ShutdownConfig>): Record<string, string> {
  const { SHUTDOWN_MS: endedMs, DRAIN_MS: drainedMs, REQUEST_DEADLINE_MS: deadlineMs } = config;
  // A value that is invalid by itself is reported separately.
  if (endedMs === undefined || drainedMs === undefined || deadlineMs === undefined) return {};
  const needed = Math.ceil((drainedMs + deadlineMs) / answeredShare);
  if (endedMs >= needed) return {};
  return {
    SHUTDOWN_MS:
      `must be at least ${needed}: DRAIN_MS (${drainedMs}) and REQUEST_DEADLINE_MS (${deadlineMs}) together ` +
      'may take at most three quarters of it, because settlements need the rest',
  };
}
