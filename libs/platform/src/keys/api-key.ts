import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from './secrets.js';

const prefix = 'csk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key: `csk_`, 32 random base-62 characters (190 bits) and a checksum of 6. */
export function generateApiKey(): string {
  const body = randomBase62(randomLength);
  return prefix + body + checksum(body);
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

/** The first characters of a key, enough to tell keys apart in a list or a log. */
export function displayPrefix(key: string): string {
  return key.slice(0, prefix.length + 6);
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: taking more would favour some characters.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
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
