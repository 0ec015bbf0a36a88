import { isReadOnly } from '#http';
import { withoutDirections } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { API_ORIGIN } from '../config/origins.js';
import { Callout } from '../components/display.js';
import { Document } from '../components/layout.js';
import { Cookies } from '../sessions/cookies.js';
import { type GuestRequest, MemberRequest } from '../sessions/member-request.js';
import { PageContext, type PageView, readTheme, type Theme } from '../view/page.js';
import { allowForms } from './page-headers.js';

interface PagesConfig {
  readonly API_REFERENCE: string;
  readonly OIDC_ISSUER?: string;
}

/** Renders pages as HTML, in the layout for members or guests. */
@Injectable()
export class PageRenderer {
  constructor(
    @Inject(CONFIG) private readonly config: PagesConfig,
    @Inject(API_ORIGIN) private readonly apiOrigin: string,
    private readonly cookies: Cookies,
  ) {}

  /** The HTML of the response; its status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    void reply.code(page.status ?? 200).type('text/html; charset=utf-8');
    if (page.formTarget !== undefined) allowForms(reply, page.formTarget);
    const path = isReadOnly(request) ? request.url : (request.url.split('?', 1)[0] ?? '');
    const { guest } = request;
    const theme = this.themeOf(request);
    const html = this.html(page, theme, path, guest);
    return isWithoutForm(page, html) ? this.html(withProblemOnTop(page), theme, path, guest) : html;
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
      referenceUrl: this.config.API_REFERENCE === 'on' ? `${this.apiOrigin}/docs` : undefined,
      hasProvider: this.config.OIDC_ISSUER !== undefined,
    };
    const html = renderToString(
      <PageContext.Provider value={context}>
        <Document page={page} theme={theme} session={member?.session} />
      </PageContext.Provider>,
    );
    // Of names that were stored before they were cleaned when they are given.
    return withoutDirections(`<!doctype html>${html}`);
  }
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
