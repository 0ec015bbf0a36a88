import { type GatewayConfig } from '../config/gateway-config.js';
import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.js';
import { Admission } from './admission.js';

const callsInWorkMin = 16;
/** Keeps both refusals and answers quick. */
const overloadWaitMaxMs = 120;
/** The slot of a call is freed this long after its deadline, even if the call has not ended. */
const graceMs = 1_000;

/** Creates the configured admission. Calls wait for at most half of their deadline: the other half is for the work. */
export function createAdmission(config: GatewayConfig): Admission {
  const { CALLS_IN_WORK_MAX, CALLS_WAITING_MAX, WAIT_MAX_MS, REQUEST_DEADLINE_MS } = config;
  const waitMaxMs = Math.min(WAIT_MAX_MS, REQUEST_DEADLINE_MS / 2);
  return new Admission({
    limit: new AdaptiveConcurrencyLimit({
      min: Math.min(callsInWorkMin, CALLS_IN_WORK_MAX),
      max: CALLS_IN_WORK_MAX,
    }),
    waitMaxMs,
    overloadWaitMaxMs: Math.min(overloadWaitMaxMs, waitMaxMs),
    waitingMax: CALLS_WAITING_MAX,
    workMaxMs: REQUEST_DEADLINE_MS + graceMs,
  });
}
