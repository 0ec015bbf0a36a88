import { CONFIG, HealthChecks } from '#platform';
import { Module } from '@nestjs/common';
import { SiteModule } from '../account-pages/site.module.js';
import { KnownSessionsModule } from '../account-pages/sessions/known-sessions.js';
import { type GatewayConfig } from '../config/gateway-config.js';
import { AdaptiveConcurrencyLimit } from './admission/adaptive-concurrency-limit.js';
import { Admission } from './admission/admission.js';
import { BodyAllowance } from './bodies/receive-bodies.js';
import { BodyBudget } from './bodies/body-budget.js';
import { ConnectionLimit } from './connection-limit.js';
import { proxyTrust } from './http-server.js';
import { StrangerLine } from './strangers/stranger-line.js';
import { WorkBudget } from './strangers/work-budget.js';

const callsInWorkMin = 16;
/** Keeps both refusals and answers quick. */
const overloadWaitMaxMs = 120;
/** The slot of a call is freed this long after its deadline, even if the call has not ended. */
const graceMs = 1_000;

/** Calls wait for at most half of their deadline: the other half is for the work. */
function createAdmission(config: GatewayConfig): Admission {
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

function createConnectionLimit(config: GatewayConfig): ConnectionLimit {
  const isTrusted = proxyTrust(config.TRUST_PROXY);
  return new ConnectionLimit({
    connectionsMax: config.MAX_CONNECTIONS,
    perAddressMax: config.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => isTrusted(address, 0),
  });
}

/** What the hooks of the public port ask (`public-edge.ts`): limits on connections, bodies, strangers and calls. */
@Module({
  imports: [KnownSessionsModule, SiteModule],
  providers: [
    { provide: Admission, inject: [CONFIG], useFactory: createAdmission },
    { provide: ConnectionLimit, inject: [CONFIG], useFactory: createConnectionLimit },
    BodyAllowance,
    BodyBudget,
    StrangerLine,
    WorkBudget,
  ],
})
export class EdgeModule {
  /** Not healthy when it refuses all calls for seconds although none is in progress. */
  constructor(admission: Admission, health: HealthChecks) {
    const check = (): Promise<string | null> => Promise.resolve(admission.problem);
    health.live.admission = check;
    health.ready.admission = check;
  }
}
