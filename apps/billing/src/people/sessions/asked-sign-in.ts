import { type AskedSignIn, type SessionMethod } from '#contracts';

/** What an account requires of the sessions that show it. */
export interface AccountRules {
  readonly providerOnly: boolean;
  /** How long after the sign-in it is shown; `null`: as long as the session lasts. */
  readonly sessionHours: number | null;
}

/** How and when a session was opened. */
export interface SignedIn {
  /** `null`: an older version opened it. */
  readonly method: SessionMethod | null;
  readonly signedInAt: Date;
}

const hourMs = 3_600_000;

/**
 * The sign-in that an account requires before a session may show it; `null`: none. An operator's link counts as the provider: it is
 * the way back in when the provider is down.
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
