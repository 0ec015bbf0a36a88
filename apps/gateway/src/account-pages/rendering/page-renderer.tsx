import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { doWork } from '../../http/requests/work-of-request.js';
import { Document } from '../components/layout/document.js';
import { MemberLayout } from '../components/layout/member-layout.js';
import { VisitorLayout } from '../components/layout/visitor-layout.js';
import { readsOnly } from '../../http/requests/reads-only.js';
import { Cookies } from '../sessions/cookies.js';
import { Visit, type Visitor, visitorOf } from '../sessions/visit.js';
import { type PageView } from '../view/page.js';
import { PageContext } from '../view/page-context.js';
import { PageFiles } from './page-files.js';
import { pageHeaders } from './page-headers.js';
import { readTheme, type Theme } from '../view/theme.js';
import { isWithoutForm, withProblemOnTop } from './without-form.js';

interface PagesConfig {
  readonly ACCOUNT_PAGES: string;
  readonly API_REFERENCE: string;
  readonly OIDC_ISSUER?: string;
}

/** Turns pages into HTML, within the layout that fits the visitor. */
@Injectable()
export class PageRenderer {
  constructor(
    @Inject(CONFIG) private readonly config: PagesConfig,
    private readonly files: PageFiles,
    private readonly cookies: Cookies,
  ) {}

  /** The whole answer but its sending: status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    setHeaders(page, reply);
    const path = readsOnly(request) ? request.url : (request.url.split('?', 1)[0] ?? '');
    const [theme, visitor] = [this.themeOf(request), visitorOf(request)];
    return doWork(request, () => {
      const html = this.html(page, theme, path, visitor);
      return isWithoutForm(page, html) ? this.html(withProblemOnTop(page), theme, path, visitor) : html;
    });
  }

  /** A page that is the same for every visitor with this theme, so that it can be kept. */
  renderShared(page: PageView, theme: Theme): string {
    return this.html(page, theme, '', undefined);
  }

  themeOf(request: FastifyRequest): Theme {
    return readTheme(this.cookies.read(request, 'theme'));
  }

  private html(page: PageView, theme: Theme, path: string, visitor: Visitor | undefined): string {
    const context = {
      formToken: visitor?.formToken ?? '',
      path,
      now: Date.now(),
      refusal: page.refusal,
      isMember: visitor instanceof Visit,
      hasReference: this.config.API_REFERENCE === 'on',
      hasAccountPages: this.config.ACCOUNT_PAGES === 'on',
      hasProvider: this.config.OIDC_ISSUER !== undefined,
    };
    const files = {
      style: this.files.addressOf('account.css'),
      script: this.files.addressOf('account.js'),
      icon: this.files.addressOf('icon.svg'),
    };
    const html = renderToString(
      <PageContext.Provider value={context}>
        <Document page={page} theme={theme} files={files}>
          {visitor instanceof Visit ? (
            <MemberLayout session={visitor.session} section={page.section} theme={theme}>
              {page.body}
            </MemberLayout>
          ) : (
            <VisitorLayout theme={theme}>{page.body}</VisitorLayout>
          )}
        </Document>
      </PageContext.Provider>,
    );
    return `<!doctype html>${html}`;
  }
}

/** Status and headers of a page. */
export function setHeaders(page: PageView, reply: FastifyReply): void {
  void reply
    .code(page.status ?? 200)
    .headers(pageHeaders(page.formTarget))
    .type('text/html; charset=utf-8');
}
