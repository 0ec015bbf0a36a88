import { CONFIG, sha256 } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type WebsiteConfig } from '../config/website-config.js';
import { Cookies, type OpenIdCookieName } from '../sessions/cookies.js';
import { SealedTexts } from '../sessions/sealed-texts.js';
import { type OpenIdAttempt } from './openid-provider.js';

/** A sign-in with a provider in progress. */
export interface PendingOpenId extends OpenIdAttempt {
  readonly returnTo: string;
}

const maxAgeSeconds = 600;
/** So many tabs; the headers of a browser stay small. */
const pendingMax = 5;
const nameLength = 16;

/** Keeps sign-ins with a provider in the browser in which they began, each sealed in a cookie of its own, for ten minutes. */
@Injectable()
export class OpenIdCookies {
  private readonly sealed: SealedTexts<keyof PendingOpenId>;

  constructor(
    @Inject(CONFIG) { OIDC_CLIENT_SECRET = '' }: WebsiteConfig,
    private readonly cookies: Cookies,
  ) {
    this.sealed = new SealedTexts(OIDC_CLIENT_SECRET, 'a sign-in with an OpenID provider', maxAgeSeconds);
  }

  /** Beyond five in a browser the oldest ends. */
  set(request: FastifyRequest, reply: FastifyReply, pending: PendingOpenId): void {
    for (const name of this.newestFirst(request).slice(pendingMax - 1)) this.cookies.clear(reply, name);
    this.cookies.set(reply, nameOf(pending.state), this.sealed.seal(pending), maxAgeSeconds);
  }

  /** `undefined` when none with this state began here, or too long ago. It counts once. */
  take(request: FastifyRequest, reply: FastifyReply, state: string): PendingOpenId | undefined {
    const name = nameOf(state);
    const found = this.open(request, name);
    if (this.cookies.read(request, name) !== undefined) this.cookies.clear(reply, name);
    return found?.state === state ? found : undefined;
  }

  private newestFirst(request: FastifyRequest): OpenIdCookieName[] {
    return this.cookies
      .openIdNames(request)
      .map((name) => ({ name, until: this.open(request, name)?.until ?? 0 }))
      .sort((one, other) => other.until - one.until)
      .map(({ name }) => name);
  }

  private open(request: FastifyRequest, name: OpenIdCookieName) {
    return this.sealed.open(this.cookies.read(request, name) ?? '');
  }
}

/** By its state: so the sign-ins of two tabs don't get in each other's way. */
function nameOf(state: string): OpenIdCookieName {
  return `oidc-${sha256(state).slice(0, nameLength)}`;
}
