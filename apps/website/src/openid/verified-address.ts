import { foldEmail } from '#contracts';
import { IdentityRefusal } from './identity-refusal.js';

/** Claims about a person, from an ID token or userinfo. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The address that a provider vouches for, in the compared form. It counts when the provider says that it has verified it, or
 * says nothing and the domain is a trusted one; never when it says that it has not. Only of a trusted domain is a user name
 * taken for an address, when there is no other. Throws `IdentityRefusal`.
 */
export function verifiedAddress(
  idToken: Claims,
  userinfo: Claims,
  trustedDomains: readonly string[] = [],
): string {
  const sources = [idToken, userinfo];
  const email = firstText(sources, 'email');
  if (sources.some((source) => isText(source.email_verified, false))) {
    throw new IdentityRefusal('address_not_verified', {
      ...domainFor(email),
      problem: 'email_verified is false',
    });
  }
  if (email === undefined) return trustedUserName(sources, trustedDomains);
  const address = compared(email);
  const isVerified = sources.some((source) => {
    // A provider that gives two addresses has verified the one that comes with `email_verified`.
    const ofThisAddress = typeof source.email !== 'string' || foldEmail(source.email) === address;
    return ofThisAddress && isText(source.email_verified, true);
  });
  if (isVerified || trustedDomains.includes(domainOf(address))) return address;
  throw new IdentityRefusal('address_not_verified', { email_domain: domainOf(address) });
}

/** Whether the ID token has all the claims we need. */
export function isComplete({ email, email_verified }: Claims): boolean {
  return typeof email === 'string' && email_verified !== undefined;
}

/** Microsoft Entra knows some people only by their user name; that of a guest is no address. */
function trustedUserName(sources: readonly Claims[], trustedDomains: readonly string[]): string {
  const name = firstText(sources, 'preferred_username');
  if (name?.includes('@') && !/#ext#/i.test(name) && trustedDomains.length > 0) {
    const address = compared(name);
    if (trustedDomains.includes(domainOf(address))) return address;
  }
  throw new IdentityRefusal('no_address', domainFor(name));
}

function compared(email: string): string {
  const address = foldEmail(email);
  if (address !== null) return address;
  throw new IdentityRefusal('address_refused', domainFor(email));
}

/** Some providers send it as a string. */
function isText(value: unknown, said: boolean): boolean {
  return value === said || value === String(said);
}

function firstText(sources: readonly Claims[], claim: string): string | undefined {
  const values = sources.map((source) => source[claim]);
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** For the log. */
function domainFor(email: string | undefined): { email_domain?: string } {
  return email?.includes('@') ? { email_domain: domainOf(email).slice(0, 100) } : {};
}
