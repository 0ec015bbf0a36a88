import { proxyTrust } from '#http';
import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { type GatewayConfig } from '../config/gateway-config.js';
import { limits } from '../limits.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { Admission } from './admission.js';
import { BodyBudget } from './bodies/body-budget.js';
import { ConnectionLimit } from './connection-limit.js';
import { FairQueue } from './fair-queue.js';

/** The slot of a call is freed this long after its deadline, even if the call has not ended. */
const graceMs = 1_000;

/** Calls wait for at most half of their deadline: the other half is for the work. */
function createFairQueue(config: GatewayConfig): FairQueue {
  const { CALLS_IN_WORK_MAX, CALLS_WAITING_MAX, WAIT_MAX_MS, REQUEST_DEADLINE_MS } = config;
  return new FairQueue({
    inWorkMax: CALLS_IN_WORK_MAX,
    strangersMax: Math.ceil(CALLS_IN_WORK_MAX * limits.strangerShare),
    waitingMax: CALLS_WAITING_MAX,
    waitMaxMs: Math.min(WAIT_MAX_MS, REQUEST_DEADLINE_MS / 2),
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

/** The limits that the hooks of the public port apply (`public-edge.ts`): limits on connections, bodies, strangers and calls. */
@Module({
  imports: [AuthenticationModule, RateLimitModule],
  providers: [
    { provide: FairQueue, inject: [CONFIG], useFactory: createFairQueue },
    { provide: ConnectionLimit, inject: [CONFIG], useFactory: createConnectionLimit },
    Admission,
    BodyBudget,
  ],
})
export class EdgeModule {}
