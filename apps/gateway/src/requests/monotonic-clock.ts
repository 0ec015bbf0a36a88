/** Injects a clock in ms that never runs backwards; without it the process has its own. */
export const MONOTONIC_CLOCK = Symbol('MONOTONIC_CLOCK');
