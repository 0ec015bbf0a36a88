/** What a shutdown is made of, as it is configured, ms. */
interface ShutdownConfig {
  readonly SHUTDOWN_MS: number;
  readonly DRAIN_MS: number;
  readonly REQUEST_DEADLINE_MS: number;
}

/** By when each phase of a shutdown is over at the latest, ms after the signal. */
export interface ShutdownTimes {
  /** New requests are taken until then. */
  readonly drainedMs: number;
  /** What is in progress is answered by then; what is not is cut off. */
  readonly answeredMs: number;
  /** Billing has acknowledged what became of charges; what it has not is left to their time-out. */
  readonly settledMs: number;
  /** The process ends, whatever it is doing. */
  readonly endedMs: number;
}

/** Of the whole: a fifth for settlements, a twentieth for closing connections. */
const answeredShare = 0.75;
const settledShare = 0.95;

/**
 * All times of a gateway's shutdown, derived from `SHUTDOWN_MS`. A phase that needs less leaves the rest to those after it.
 */
export function shutdownTimes(config: ShutdownConfig): ShutdownTimes {
  const { SHUTDOWN_MS: endedMs, DRAIN_MS: drainedMs } = config;
  const answeredMs = Math.floor(endedMs * answeredShare);
  return { drainedMs, answeredMs, settledMs: Math.floor(endedMs * settledShare), endedMs };
}

/** A request that is taken at the last moment must have its whole deadline. */
export function shutdownProblems(config: Partial<ShutdownConfig>): Record<string, string> {
  const { SHUTDOWN_MS: endedMs, DRAIN_MS: drainedMs, REQUEST_DEADLINE_MS: deadlineMs } = config;
  // What is wrong by itself is named for itself.
  if (endedMs === undefined || drainedMs === undefined || deadlineMs === undefined) return {};
  const needed = Math.ceil((drainedMs + deadlineMs) / answeredShare);
  if (endedMs >= needed) return {};
  return {
    SHUTDOWN_MS:
      `must be at least ${needed}: DRAIN_MS (${drainedMs}) and REQUEST_DEADLINE_MS (${deadlineMs}) together ` +
      'may take three quarters of it, and settlements need the rest',
  };
}
