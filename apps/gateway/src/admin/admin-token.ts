import { createHash, timingSafeEqual } from 'node:crypto';

const bearer = /^bearer +(\S+) *$/i;

/**
 * Whether an `Authorization` header carries the admin token. Both sides are hashed first: equal lengths for the
 * constant-time comparison, whatever was sent.
 */
export function carriesAdminToken(header: string | undefined, adminToken: string): boolean {
  const given = bearer.exec(header ?? '')?.[1];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(adminToken));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
