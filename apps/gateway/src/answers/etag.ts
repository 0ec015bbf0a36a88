import { createHash } from 'node:crypto';

/** 128 bits: different bodies never share a tag. */
const digestLength = 22;

/**
 * `Cache-Control` of an answer with an entity tag: only the caller may cache it, and must revalidate it each
 * time, so that a key that is no longer valid gets nothing.
 */
export const revalidated = 'private, no-cache';

/** The entity tag of an answer with this body. */
export function etagOf(body: Uint8Array): string {
  return weakTag(createHash('sha256').update(body).digest('base64url'));
}

/**
 * The entity tag of an answer with this digest. A weak one: the same tag goes with the body and with each of its compressed forms,
 * which a strong one must tell apart.
 */
export function weakTag(digest: string): string {
  return `W/"${digest.slice(0, digestLength)}"`;
}

/** What proxies add to a tag when they compress an answer, and the end of the tag. */
const endOfTag = /(?:(?:--?|;)(?:gzip|br|zstd|deflate))*"/y;

/**
 * Whether an `If-None-Match` header names this tag, by weak comparison (RFC 9110, 13.1.2), also as a proxy has marked it: the answer is
 * then a 304. `*` names nothing: a client that has an answer can name its tag. The header is read once, however long it is.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const sought = etag.slice(etag.indexOf('"'), -1);
  for (let at = header.indexOf(sought); at !== -1; at = header.indexOf(sought, at + 1)) {
    endOfTag.lastIndex = at + sought.length;
    if (endOfTag.test(header)) return true;
  }
  return false;
}
