import { withoutDirections } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { isReadOnly } from '../../requests/call.js';
import { Callout } from '../components/display.js';
import { Document } from '../components/layout.js';
import { Cookies } from '../sessions/cookies.js';
import { type GuestRequest, MemberRequest } from '../sessions/member-request.js';
import { PageContext, type PageView, readTheme, type Theme } from '../view/page.js';
import { PageFiles } from './page-files.js';

interface PagesConfig {
  readonly API_REFERENCE: string;
  readonly OIDC_ISSUER?: string;
}

/** Renders pages as HTML, in the layout for members or guests. */
@Injectable()
export class PageRenderer {
  constructor(
    @Inject(CONFIG) private readonly config: PagesConfig,
    private readonly files: PageFiles,
    private readonly cookies: Cookies,
  ) {}

  /** The HTML of the response; its status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    setHeaders(page, reply);
    const path = isReadOnly(request) ? request.url : (request.url.split('?', 1)[0] ?? '');
    const { guest } = request;
    const theme = this.themeOf(request);
    const html = this.html(page, theme, path, guest);
    return isWithoutForm(page, html) ? this.html(withProblemOnTop(page), theme, path, guest) : html;
  }

  /** A page that is the same for everyone with this theme, so that it can be cached. */
  renderShared(page: PageView, theme: Theme): string {
    return this.html(page, theme, '', undefined);
  }

  themeOf(request: FastifyRequest): Theme {
    return readTheme(this.cookies.read(request, 'theme'));
  }

  private html(page: PageView, theme: Theme, path: string, guest: GuestRequest | undefined): string {
    const member = guest instanceof MemberRequest ? guest : undefined;
    const context = {
      formToken: guest?.formToken ?? '',
      path,
      now: Date.now(),
      refusal: page.refusal,
      isMember: member !== undefined,
      hasReference: this.config.API_REFERENCE === 'on',
      hasProvider: this.config.OIDC_ISSUER !== undefined,
    };
    const files = {
      style: this.files.addressOf('account.css'),
      script: this.files.addressOf('account.js'),
      icon: this.files.addressOf('icon.svg'),
    };
    const html = renderToString(
      <PageContext.Provider value={context}>
        <Document page={page} theme={theme} files={files} session={member?.session} />
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

/** Whether the refused form is no longer on its page, for example after a webhook was removed. */
function isWithoutForm({ refusal }: PageView, html: string): boolean {
  return refusal !== undefined && !html.includes(` action="${refusal.form.action}"`);
}

/** The same page with the problem at the top. */
function withProblemOnTop(page: PageView): PageView {
  const problems = Object.values(page.refusal?.problems ?? {}).join(' ');
  return {
    ...page,
    body: (
      <>
        <Callout kind="problem">{problems}</Callout>
        {page.body}
      </>
    ),
  };
}
