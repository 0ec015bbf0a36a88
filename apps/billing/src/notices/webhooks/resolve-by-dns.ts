import { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type Resolve } from './webhook-target.js';

/** For each server and record; it is asked once. */
const answerMs = 2_000;

/**
 * Asks the name servers of the machine, or these. Not `getaddrinfo`, which blocks one of the four threads that every other
 * look-up of the process needs, for as long as a customer's name server keeps silent. So names that only this machine knows,
 * as of `/etc/hosts`, are not found: no webhook is there.
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: answerMs, tries: 1 });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [...addressesIn(four, 4), ...addressesIn(six, 6)];
      if (found.length === 0 && four.status === 'rejected') throw four.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** A name may have addresses of one kind only: then there is no answer for the other. */
function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
