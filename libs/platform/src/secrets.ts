import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'csk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
/** Enough bytes for the random characters of a key, although some bytes are left out. */
const sourceBytes = 128;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key: `csk_`, 32 random base-62 characters (190 bits) and a checksum of 6. */
export function generateApiKey(): string {
  return keyFrom(randomBytes(sourceBytes));
}

/** The same key whenever it is derived from the same secret, of 190 random bits or more, and the same label. */
export function deriveApiKey(secret: string, label: string): string {
  return keyFrom(new Uint8Array(hkdfSync('sha256', secret, '', `API key: ${sha256(label)}`, sourceBytes)));
}

/** Whether the string has the form and checksum of a key: rejects most typing errors without a look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (!shape.test(text)) return false;
  const body = text.slice(prefix.length, prefix.length + randomLength);
  return text.slice(prefix.length + randomLength) === checksum(body);
}

/** SHA-256 of the key, hex: the only form in which a key is stored or sent. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

/** The first characters of a key, enough to distinguish keys in a list or a log. */
export function displayPrefix(key: string): string {
  return key.slice(0, prefix.length + 6);
}

function keyFrom(source: Uint8Array): string {
  // 248 is the largest multiple of 62 below 256: taking more would favour some characters.
  const usable = [...source].filter((byte) => byte < 248).slice(0, randomLength);
  if (usable.length < randomLength) throw new Error('too few usable bytes for a key');
  const body = usable.map((byte) => alphabet.charAt(byte % 62)).join('');
  return prefix + body + checksum(body);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const tokenBytes = 32;

/** A new secret for a cookie or a link: 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** SHA-256 of the text, hex: of a secret of 190 bits and more it may be stored and sent. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
