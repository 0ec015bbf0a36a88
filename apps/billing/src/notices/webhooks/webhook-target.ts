import { type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Why a webhook can't be reached, in words for its owner. */
export class UnreachableWebhookError extends Error {
  override readonly name = 'UnreachableWebhookError';
}

/** Resolves a host name to all of its addresses, until the signal ends it. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

export interface LookUp {
  readonly resolve: Resolve;
  /** Ends the look-up. */
  readonly signal: AbortSignal;
  readonly isAllowed?: AddressRule | undefined;
}

/** An https URL without a login. Throws `UnreachableWebhookError` for anything else. */
export function parseWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UnreachableWebhookError('The webhook is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new UnreachableWebhookError('The webhook must begin with https://.');
  if (url.username !== '' || url.password !== '') {
    throw new UnreachableWebhookError('The webhook must not hold a user name or a password.');
  }
  if (/(^|\.)localhost\.?$/.test(url.hostname)) throw leadsInside();
  return url;
}

/**
 * The addresses of a webhook's host. Throws `UnreachableWebhookError` when there is none, and when a single one is not allowed:
 * a name with an address inside of our network is meant to lead there.
 */
export async function addressesOf(
  host: string,
  { resolve, signal, isAllowed = isPublicAddress }: LookUp,
): Promise<readonly LookupAddress[]> {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses =
    family === 0 ? await resolveOrExplain(host, resolve, signal) : [{ address: literal, family }];
  if (addresses.length === 0) throw new UnreachableWebhookError('The host of the webhook has no address.');
  if (!addresses.every(({ address }) => isAllowed(address))) {
    throw leadsInside();
  }
  return addresses;
}

function leadsInside(): UnreachableWebhookError {
  return new UnreachableWebhookError('The webhook leads to a private address.');
}

async function resolveOrExplain(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  try {
    return await resolve(host, signal);
  } catch (error) {
    throw new UnreachableWebhookError('The host of the webhook was not found.', { cause: error });
  }
}

/** For a connection: connects to these addresses, which were checked, whatever the host leads to by then (DNS rebinding). */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}
