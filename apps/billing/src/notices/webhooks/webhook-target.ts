import { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type LookupFunction } from 'node:net';

/** Why a webhook can't be reached, in words for its owner. */
export class UnreachableWebhookError extends Error {
  override readonly name = 'UnreachableWebhookError';
}

/** The webhook answered 410: it accepts no further messages. */
export class GoneWebhookError extends UnreachableWebhookError {}

/** Resolves a host name to all of its addresses, until the signal ends it. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/** An https URL without credentials. Throws `UnreachableWebhookError` for anything else. */
export function parseWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UnreachableWebhookError('The webhook is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new UnreachableWebhookError('The webhook must begin with https://.');
  if (url.username !== '' || url.password !== '') {
    throw new UnreachableWebhookError('The webhook must not contain a user name or a password.');
  }
  if (/(^|\.)localhost\.?$/.test(url.hostname)) throw privateAddress();
  return url;
}

export function privateAddress(): UnreachableWebhookError {
  return new UnreachableWebhookError('The webhook points to a private address.');
}

/** Connects to these addresses, which were checked, even if the host resolves to others by then (DNS rebinding). */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}

/** For each server and record type, which is asked once. */
const answerMs = 2_000;

/**
 * Queries the machine's name servers, or the given ones. `getaddrinfo` would block one of the four threads that every look-up of
 * the process shares for as long as a customer's name server does not respond. Names of `/etc/hosts` are not found; no webhook is
 * there.
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

/** A name may have addresses of one family only; the look-up of the other one fails then. */
function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
