import { type ServiceName } from '@app/contracts';
import { type HealthCheck } from '@app/platform';
import { type ServiceClient } from './service-client.js';

/**
 * A readiness check for roll-outs: not ready while a live replica of these services does not know all messages of this
 * version. Services without a replica do not count. Once passed, it stays passed: a later roll-back of the others
 * must not take a process out of use that answers what it can.
 */
export function untilNoneIsOlder(client: ServiceClient, services: readonly ServiceName[]): HealthCheck {
  let isPassed = false;
  return async () => {
    if (isPassed) return null;
    const asked = services.map(async (name) => ((await client.hasOlderReplica(name)) ? [name] : []));
    const older = (await Promise.all(asked)).flat();
    isPassed = older.length === 0;
    return isPassed ? null : `an earlier version of ${older.join(' and ')} is still running`;
  };
}
