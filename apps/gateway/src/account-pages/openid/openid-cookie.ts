import { isRecord } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Cookies } from '../sessions/cookies.js';
import { SealedText } from '../sessions/sealed-text.js';
import { type OpenIdAttempt } from './openid-provider.js';

/** A sign-in with a provider that is under way. */
export interface OpenIdUnderWay extends OpenIdAttempt {
  readonly returnTo: string;
}

const maxAgeSeconds = 600;

/** Keeps a sign-in with a provider in the browser in which it began, sealed and for ten minutes. */
@Injectable()
export class OpenIdCookie {
  private readonly sealed: SealedText;

  constructor(
    @Inject(CONFIG) { OIDC_CLIENT_SECRET = '' }: { readonly OIDC_CLIENT_SECRET?: string },
    private readonly cookies: Cookies,
  ) {
    this.sealed = new SealedText(OIDC_CLIENT_SECRET, 'a sign-in with an OpenID provider');
  }

  set(reply: FastifyReply, underWay: OpenIdUnderWay): void {
    const until = Date.now() + maxAgeSeconds * 1_000;
    this.cookies.set(reply, 'oidc', this.sealed.seal(JSON.stringify({ ...underWay, until })), maxAgeSeconds);
  }

  /** `undefined` without one, and for one that is too old. It counts once. */
  take(request: FastifyRequest, reply: FastifyReply): OpenIdUnderWay | undefined {
    const text = this.sealed.open(this.cookies.read(request, 'oidc') ?? '');
    this.cookies.clear(reply, 'oidc');
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.until !== 'number' || value.until < Date.now()) return undefined;
    const { state, nonce, verifier, returnTo } = value;
    const texts = [state, nonce, verifier, returnTo];
    if (!texts.every((part) => typeof part === 'string')) return undefined;
    const [oneState = '', oneNonce = '', oneVerifier = '', onePath = ''] = texts;
    return { state: oneState, nonce: oneNonce, verifier: oneVerifier, returnTo: onePath };
  }
}
