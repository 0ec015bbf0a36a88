import { publicPrefix } from '../../http/server/public-prefix.js';

/** A command that makes a call with this key. */
export function firstCall(origin: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' \\\n  '${origin}${publicPrefix}/search?limit=3'`;
}
