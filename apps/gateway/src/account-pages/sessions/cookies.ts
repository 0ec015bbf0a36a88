import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { createHmac } from 'node:crypto';
import { PUBLIC_ORIGIN } from '../../config/public-origin.js';

/** One for each sign-in with the provider that is under way. */
export type OpenIdCookieName = `oidc-${string}`;

/**
 * `session`: signed in. `sign-in`, `oidc-…`: a sign-in under way. `new-key`: a key that is about to be shown.
 */
type CookieName = 'session' | 'sign-in' | 'new-key' | OpenIdCookieName;

/** Cookies that are sent to one page only: the prefix `__Host-` is for those that are sent everywhere. */
const ofOnePage: readonly CookieName[] = ['new-key'];

/**
 * The cookies of the pages: out of reach of scripts, and never sent with a form of another site. Over https their names
 * begin with `__Host-`, so that no other host of the domain can set them; of those of one page, with `__Secure-`.
 */
@Injectable()
export class Cookies {
  private readonly isSecure: boolean;

  constructor(@Inject(PUBLIC_ORIGIN) origin: string) {
    this.isSecure = origin.startsWith('https:');
  }

  read({ headers }: FastifyRequest, name: CookieName): string | undefined {
    const { cookie = '' } = headers;
    const sought = `${this.nameOf(name)}=`;
    for (let at = cookie.indexOf(sought); at !== -1; at = cookie.indexOf(sought, at + 1)) {
      const isName = at === 0 || cookie[at - 1] === ';' || (cookie[at - 1] === ' ' && cookie[at - 2] === ';');
      const end = cookie.indexOf(';', at);
      if (isName) return cookie.slice(at + sought.length, end === -1 ? undefined : end).trim();
    }
    return undefined;
  }

  /** The sign-ins with the provider that are under way in a browser. */
  openIdNames({ headers }: FastifyRequest): OpenIdCookieName[] {
    const start = this.nameOf('oidc-');
    return (headers.cookie ?? '').split(';').flatMap((pair): OpenIdCookieName[] => {
      const [name = ''] = pair.trim().split('=', 1);
      return name.startsWith(start) ? [`oidc-${name.slice(start.length)}`] : [];
    });
  }

  /** `value`: letters, digits, `.`, `_` and `-`. `path`: of the only page that it is sent to. */
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds: number, path = '/'): void {
    const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
    if (this.isSecure) attributes.push('Secure');
    void reply.header('set-cookie', [`${this.nameOf(name)}=${value}`, ...attributes].join('; '));
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

/** The token of every form: only pages sent to the browser with this session token know it. */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}
