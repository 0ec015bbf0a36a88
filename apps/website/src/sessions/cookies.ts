import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SITE_ORIGIN } from '../config/origins.js';

/** One for each sign-in with the provider in progress. */
export type OpenIdCookieName = `oidc-${string}`;

/**
 * `session`: signed in. `sign-in`, `oidc-…`: a sign-in in progress. `new-key`: a key that is about to be shown.
 * `kept-form`: a form that was sent after its session had ended.
 */
type CookieName = 'session' | 'sign-in' | 'new-key' | 'kept-form' | OpenIdCookieName;

/** Cookies that are sent to one page only: the prefix `__Host-` is for those that are sent everywhere. */
const ofOnePage: readonly CookieName[] = ['new-key'];

/**
 * The cookies of the pages: out of reach of scripts, and never sent with a form of another site. Over https their names
 * begin with `__Host-`, so that no other host of the domain can set them; of those of one page, with `__Secure-`.
 */
@Injectable()
export class Cookies {
  private readonly isSecure: boolean;

  constructor(@Inject(SITE_ORIGIN) origin: string) {
    this.isSecure = origin.startsWith('https:');
  }

  read({ cookies }: Pick<FastifyRequest, 'cookies'>, name: CookieName): string | undefined {
    return cookies[this.nameOf(name)];
  }

  /** The sign-ins with the provider in progress in a browser. */
  openIdNames({ cookies }: FastifyRequest): OpenIdCookieName[] {
    const start = this.nameOf('oidc-');
    const found = Object.keys(cookies).filter((name) => name.startsWith(start));
    return found.map((name): OpenIdCookieName => `oidc-${name.slice(start.length)}`);
  }

  /** `path`: of the only page that it is sent to. */
  set(reply: FastifyReply, name: CookieName, value: string, maxAge: number, path = '/'): void {
    const attributes = { httpOnly: true, sameSite: 'lax', secure: this.isSecure } as const;
    reply.setCookie(this.nameOf(name), value, { path, maxAge, ...attributes });
  }

  clear(reply: FastifyReply, name: CookieName, path?: string): void {
    this.set(reply, name, '', 0, path);
  }

  private nameOf(name: CookieName): string {
    if (!this.isSecure) return name;
    return ofOnePage.includes(name) ? `__Secure-${name}` : `__Host-${name}`;
  }
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether it has the form of our tokens; anything else is refused without a look-up. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text);
}
