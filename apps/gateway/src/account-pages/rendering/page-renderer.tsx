import { withoutDirections } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { Document } from '../components/layout.js';
import { type GuestRequest, MemberRequest } from '../sessions/member-request.js';
import { PageContext, type PageView } from '../view/page.js';
import { PageFiles } from './page-files.js';

/** Renders pages as HTML, in the layout for members or guests. */
@Injectable()
export class PageRenderer {
  constructor(
    @Inject(CONFIG) private readonly config: { readonly API_REFERENCE: string },
    private readonly files: PageFiles,
  ) {}

  /** The HTML of the response; its status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    setHeaders(page, reply);
    return this.html(page, request.url, request.guest);
  }

  /** A page that is the same for everyone, so that it can be cached. */
  renderShared(page: PageView): string {
    return this.html(page, '', undefined);
  }

  private html(page: PageView, path: string, guest: GuestRequest | undefined): string {
    const { refusal } = page;
    const hasReference = this.config.API_REFERENCE === 'on';
    const files = {
      style: this.files.addressOf('account.css'),
      script: this.files.addressOf('account.js'),
      icon: this.files.addressOf('icon.svg'),
    };
    const session = guest instanceof MemberRequest ? guest.session : undefined;
    const html = renderToString(
      <PageContext.Provider value={{ formToken: guest?.formToken ?? '', path, refusal, hasReference }}>
        <Document page={page} files={files} session={session} />
      </PageContext.Provider>,
    );
    // Of names that were stored before they were cleaned when they are given.
    return withoutDirections(`<!doctype html>${html}`);
  }
}

/** Status and headers of a page. */
export function setHeaders(page: PageView, reply: FastifyReply): void {
  void reply
    .code(page.status ?? 200)
    .headers(pageHeaders(page.formTarget))
    .type('text/html; charset=utf-8');
}

/**
 * Everything comes from this origin, nothing is inline, and no address of a page reaches another site. `no-referrer` would
 * say no more, but with it browsers send forms with `Origin: null`. `formTarget`: another origin to which a form of the page
 * may be redirected.
 */
export function pageHeaders(formTarget?: string): Record<string, string> {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [new URL(formTarget).origin])];
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      `form-action ${targets.join(' ')}`,
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
