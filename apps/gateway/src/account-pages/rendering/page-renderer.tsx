import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { Document } from '../components/layout/document.js';
import { MemberLayout } from '../components/layout/member-layout.js';
import { VisitorLayout } from '../components/layout/visitor-layout.js';
import { Cookies } from '../sessions/cookies.js';
import { Visit, visitorOf } from '../sessions/visit.js';
import { type PageView } from '../view/page.js';
import { PageContext, type PageContextValue } from '../view/page-context.js';
import { PageFiles } from './page-files.js';
import { pageHeaders } from './page-headers.js';
import { readTheme } from '../view/theme.js';

/** Turns pages into HTML, within the layout that fits whoever asks. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly files: PageFiles,
    private readonly cookies: Cookies,
  ) {}

  /** The whole answer but its sending: status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    void reply
      .code(page.status ?? 200)
      .headers(pageHeaders(page.formTarget))
      .type('text/html; charset=utf-8');
    const visitor = visitorOf(request);
    const theme = readTheme(this.cookies.read(request, 'theme'));
    const files = {
      style: this.files.addressOf('account.css'),
      script: this.files.addressOf('account.js'),
      icon: this.files.addressOf('icon.svg'),
    };
    const html = renderToString(
      <PageContext.Provider value={contextOf(request)}>
        <Document page={page} theme={theme} files={files}>
          {visitor instanceof Visit ? (
            <MemberLayout session={visitor.session} section={page.section} theme={theme}>
              {page.body}
            </MemberLayout>
          ) : (
            <VisitorLayout>{page.body}</VisitorLayout>
          )}
        </Document>
      </PageContext.Provider>,
    );
    return `<!doctype html>${html}`;
  }
}

function contextOf(request: FastifyRequest): PageContextValue {
  const path = request.method === 'GET' ? request.url : (request.url.split('?', 1)[0] ?? '');
  return { formToken: visitorOf(request)?.formToken ?? '', path, now: Date.now() };
}
