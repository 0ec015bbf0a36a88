import { createHash } from 'node:crypto';

/** 128 bits: different bodies never share a tag. */
const digestLength = 22;

/**
 * `Cache-Control` of an answer with an entity tag: the caller alone may keep it, and has to ask each time whether it
 * still holds, so that a key which is no longer good finds nothing.
 */
export const revalidated = 'private, no-cache';

/** An entity tag, strong or weak (RFC 9110, 8.8.3); group 1 is what weak comparison compares. */
const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * The entity tag of an answer with this body. A weak one: the same tag goes with the body and with each of its
 * compressed forms, which a strong one must tell apart.
 */
export function etagOf(body: Uint8Array): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, digestLength);
  return `W/"${digest}"`;
}

/**
 * Whether an `If-None-Match` header names this tag of an answer that exists, by weak comparison (RFC 9110, 13.1.2):
 * the answer is then a 304. What is not an entity tag in the header is ignored.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const sought = opaqueOf(etag);
  for (const [, opaque] of header.matchAll(entityTag)) if (opaque === sought) return true;
  return false;
}

function opaqueOf(etag: string): string {
  return etag.replace(/^W\//, '');
}
