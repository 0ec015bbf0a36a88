import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes of keys: a test key answers with fictional creators and costs nothing. */
const keyPrefixes = { live: 'csk_', test: 'csk_test_' } as const;
type KeyMode = keyof typeof keyPrefixes;
const adminTokenPrefix = 'csa_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
/** Enough bytes for the random characters of a key, although some bytes are left out. */
const sourceBytes = 128;
const body = new RegExp(`^[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key: `csk_`, or `csk_test_` for a test key, 32 random base-62 characters (190 bits) and a checksum of 6. */
export function generateApiKey(mode: KeyMode = 'live'): string {
  return keyFrom(keyPrefixes[mode], randomBytes(sourceBytes));
}

/** A new token of the admin API: the same with `csa_`. */
export function generateAdminToken(): string {
  return keyFrom(adminTokenPrefix, randomBytes(sourceBytes));
}

/** Derives an API key, always the same from the same label and secret, which has 190 random bits or more. */
export function deriveApiKey(secret: string, label: string, mode: KeyMode = 'live'): string {
  return keyFrom(
    keyPrefixes[mode],
    new Uint8Array(hkdfSync('sha256', secret, '', `API key: ${sha256(label)}`, sourceBytes)),
  );
}

/** Whether the string has the form and checksum of a key: rejects most typing errors without a look-up. */
export function isWellFormedApiKey(text: string): boolean {
  return Object.values(keyPrefixes).some((prefix) => isWellFormed(prefix, text));
}

/** Whether a text has the form of a token of the admin API. */
export function isWellFormedAdminToken(text: string): boolean {
  return isWellFormed(adminTokenPrefix, text);
}

/** SHA-256 of the key, hex: the only form in which a key is stored or sent. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

/** The first characters of a key or token, enough to distinguish them in a list or a log. */
export function displayPrefix(key: string): string {
  const prefix = key.startsWith(keyPrefixes.test) ? keyPrefixes.test : keyPrefixes.live;
  return key.slice(0, prefix.length + 6);
}

function isWellFormed(prefix: string, text: string): boolean {
  const rest = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !body.test(rest)) return false;
  return rest.slice(randomLength) === checksum(prefix, rest.slice(0, randomLength));
}

function keyFrom(prefix: string, source: Uint8Array): string {
  // 248 is the largest multiple of 62 below 256: taking more would favour some characters.
  const usable = [...source].filter((byte) => byte < 248).slice(0, randomLength);
  if (usable.length < randomLength) throw new Error('too few usable bytes for a key');
  const random = usable.map((byte) => alphabet.charAt(byte % 62)).join('');
  return prefix + random + checksum(prefix, random);
}

/** Checksum of a key from the fifth character on, so that a test key without its `test_` is no key. */
function checksum(prefix: string, random: string): string {
  let rest = crc32(prefix.slice(keyPrefixes.live.length) + random);
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
