import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { publicOrigin, type PublicOriginConfig } from '../../http/server/public-origin.js';

/** `session`: signed in. `sign-in`, `oidc`: a sign-in under way. `theme`: light or dark. */
export type CookieName = 'session' | 'sign-in' | 'oidc' | 'theme';

/**
 * The cookies of the pages: out of reach of scripts, and never sent with a form of another site. Over https their names
 * begin with `__Host-`, so that no other host of the domain can set them.
 */
@Injectable()
export class Cookies {
  private readonly isSecure: boolean;

  constructor(@Inject(CONFIG) config: PublicOriginConfig) {
    this.isSecure = publicOrigin(config).startsWith('https:');
  }

  read({ headers }: FastifyRequest, name: CookieName): string | undefined {
    const sought = `${this.nameOf(name)}=`;
    for (const pair of (headers.cookie ?? '').split(';')) {
      const text = pair.trim();
      if (text.startsWith(sought)) return text.slice(sought.length);
    }
    return undefined;
  }

  /** `value`: letters, digits, `.`, `_` and `-`. */
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds: number): void {
    const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
    if (this.isSecure) attributes.push('Secure');
    void reply.header('set-cookie', [`${this.nameOf(name)}=${value}`, ...attributes].join('; '));
  }

  clear(reply: FastifyReply, name: CookieName): void {
    this.set(reply, name, '', 0);
  }

  private nameOf(name: CookieName): string {
    return this.isSecure ? `__Host-${name}` : name;
  }
}
