import { createHmac, createSign, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';

/** How an ID token is signed: only the first is right. */
export type SignedBy = 'own key' | 'another key' | 'none' | 'HS256';

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys with which a test provider signs, of which it publishes one. */
export class OpenIdTestKeys {
  private key = newKey('1');
  private readonly other = newKey('1');

  get published(): JsonWebKey {
    return { ...this.key.publicKey.export({ format: 'jwk' }), kid: this.key.kid, alg: 'RS256' };
  }

  rotate(): void {
    this.key = newKey(String(Number(this.key.kid) + 1));
  }

  /** A JWT. `another key` claims to be the published one; `HS256` uses the secret of the client. */
  sign(claims: Readonly<Record<string, unknown>>, by: SignedBy, secret: string): string {
    const alg = by === 'none' || by === 'HS256' ? by : 'RS256';
    const signed = [{ alg, kid: this.key.kid }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    if (by === 'none') return `${signed}.`;
    if (by === 'HS256') return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    const { privateKey } = by === 'own key' ? this.key : this.other;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
  }
}

function newKey(kid: string): Key {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) };
}
