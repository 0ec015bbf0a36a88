import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

type Opened<Name extends string> = Readonly<Record<Name, string>> & { readonly until: number };

/** Named texts that a browser keeps for us for some time without being able to read or change them. */
export class SealedTexts<Name extends string> {
  private readonly key: Buffer;

  /** `purpose`: texts sealed for another one can't be opened. */
  constructor(
    secret: string,
    purpose: string,
    private readonly maxAgeSeconds: number,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
  }

  /** Letters, digits, `_` and `-`. */
  seal(texts: Readonly<Record<Name, string>>): string {
    const until = Date.now() + this.maxAgeSeconds * 1_000;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key, iv, { authTagLength: tagBytes });
    const sealed = Buffer.concat([cipher.update(JSON.stringify({ ...texts, until })), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The texts, and until when they can be opened (ms since 1970); `undefined` if not sealed here, or too long ago. */
  open(sealed: string): Opened<Name> | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < ivBytes + tagBytes) return undefined;
    const iv = bytes.subarray(0, ivBytes);
    const decipher = createDecipheriv(algorithm, this.key, iv, { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
      const opened = JSON.parse(text.toString('utf8')) as Opened<Name>;
      return opened.until >= Date.now() ? opened : undefined;
    } catch {
      return undefined;
    }
  }
}
