import { createHash } from 'node:crypto';

/** 128 bits: different bodies never share a tag. */
const digestLength = 22;

/**
 * `Cache-Control` of an answer with an entity tag: only the caller may cache it, and must revalidate it each
 * time, so that a key that is no longer valid gets nothing.
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
