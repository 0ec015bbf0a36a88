import { scryptSync } from 'node:crypto';

export interface SharedSecrets {
  readonly PROFILE_TAG_SECRET?: string;
  readonly ADMIN_TOKEN: string;
}

const keyBytes = 32;

/**
 * A key that all gateways have, for what clients keep and must not be able to make. By default it comes from the token that all of them
 * have, by a slow function, because a customer who knows what was signed could otherwise try tokens at home.
 */
export function sharedKey({ PROFILE_TAG_SECRET, ADMIN_TOKEN }: SharedSecrets, purpose: string): Buffer {
  return scryptSync(PROFILE_TAG_SECRET ?? ADMIN_TOKEN, purpose, keyBytes);
}
