import { type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Why a webhook can't be reached, in words for its owner. */
export class UnreachableWebhookError extends Error {
  override readonly name = 'UnreachableWebhookError';
}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** By the resolver of the machine. */
export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/** An https URL without a login. Throws `UnreachableWebhookError` for anything else. */
export function parseWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UnreachableWebhookError('The webhook is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new UnreachableWebhookError('The webhook must begin with https://.');
  if (url.username !== '' || url.password !== '') {
    throw new UnreachableWebhookError('The webhook must not hold a user name or a password.');
  }
  return url;
}

/**
 * The addresses of a webhook's host. Throws `UnreachableWebhookError` when there is none, and when a single one is not allowed:
 * a name with an address inside of our network is meant to lead there.
 */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  isAllowed: AddressRule = isPublicAddress,
): Promise<readonly LookupAddress[]> {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses = family === 0 ? await resolveOrExplain(host, resolve) : [{ address: literal, family }];
  if (addresses.length === 0) throw new UnreachableWebhookError('The host of the webhook has no address.');
  if (!addresses.every(({ address }) => isAllowed(address))) {
    throw new UnreachableWebhookError('The webhook leads to a private address.');
  }
  return addresses;
}

async function resolveOrExplain(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  try {
    return await resolve(host);
  } catch (error) {
    throw new UnreachableWebhookError('The host of the webhook was not found.', { cause: error });
  }
}

/**
 * For a connection: resolves the host once, checks what it is resolved to, and connects to exactly that. A name that
 * leads elsewhere by then (DNS rebinding) is therefore refused too.
 */
export function checkedLookup(resolve: Resolve, isAllowed?: AddressRule): LookupFunction {
  return (host, { all }, answer) => {
    addressesOf(host, resolve, isAllowed).then(
      (addresses) => {
        const [first] = addresses;
        if (all) answer(null, [...addresses]);
        else answer(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}
