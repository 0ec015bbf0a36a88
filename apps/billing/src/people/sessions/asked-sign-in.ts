import { type AskedSignIn, type SessionMethod } from '@app/contracts';

/** What an account asks of the sessions that show it. */
export interface AccountRules {
  readonly providerOnly: boolean;
  /** Since the sign-in; `null`: no bound of its own. */
  readonly sessionHours: number | null;
}

/** How and when a session was opened. */
export interface SignedIn {
  /** `null`: an older version has opened it. */
  readonly method: SessionMethod | null;
  readonly signedInAt: Date;
}

const hourMs = 3_600_000;

/**
 * What has to be done before a session may show an account; `null`: nothing. An operator's link counts as the provider: it is the
 * way back in when the provider is broken.
 */
export function askedSignIn(
  { providerOnly, sessionHours }: AccountRules,
  { method, signedInAt }: SignedIn,
  now: Date,
): AskedSignIn | null {
  if (providerOnly && method !== 'provider' && method !== 'operator') return 'provider';
  if (sessionHours === null || now.getTime() - signedInAt.getTime() < sessionHours * hourMs) return null;
  return providerOnly && method !== 'provider' ? 'provider' : 'again';
}
