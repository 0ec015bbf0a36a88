import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerToken } from '../requests/call.js';

/**
 * Whether an `Authorization` header carries the admin token. Both sides are hashed first: equal lengths for the
 * constant-time comparison, whatever was sent.
 */
export function carriesAdminToken(header: string | undefined, adminToken: string): boolean {
  const given = bearerToken(header);
  return given !== undefined && timingSafeEqual(sha256(given), sha256(adminToken));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
