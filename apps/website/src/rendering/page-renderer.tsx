import { withoutDirections } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { API_ORIGIN } from '../config/origins.js';
import { Document } from '../components/layout.js';
import { MemberRequest } from '../sessions/member-request.js';
import { Cookies } from '../sessions/cookies.js';
import { KeptForms } from '../sessions/kept-forms.js';
import { doneCode } from '../view/forms.js';
import { type WebsiteConfig } from '../config/website-config.js';
import { PageContext, type PageView } from '../view/page.js';
import { allowForms } from './page-headers.js';

/** Renders pages as HTML, in the layout for members or guests. */
@Injectable()
export class PageRenderer {
  constructor(
    @Inject(CONFIG) private readonly config: WebsiteConfig,
    @Inject(API_ORIGIN) private readonly apiOrigin: string,
    private readonly cookies: Cookies,
    private readonly kept: KeptForms,
  ) {}

  /** The HTML of the response; its status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    void reply.code(page.status ?? 200).type('text/html; charset=utf-8');
    if (page.formTarget !== undefined) allowForms(reply, page.formTarget);
    const { guest, url: path } = request;
    const referenceUrl = `${this.apiOrigin}/docs`;
    const session = guest instanceof MemberRequest ? guest.session : undefined;
    const hasSession = this.cookies.read(request, 'session') !== undefined;
    const isSentAgain = guest instanceof MemberRequest && doneCode(path) === 'not-saved';
    const kept = isSentAgain ? this.kept.take(guest) : undefined;
    const refusal = page.refusal ?? (kept && { form: kept, problems: {} });
    const formToken = guest?.formToken ?? '';
    const html = renderToString(
      <PageContext.Provider value={{ formToken, path, refusal, referenceUrl, site: this.config, hasSession }}>
        <Document page={page} session={session} />
      </PageContext.Provider>,
    );
    // Names that were stored before names were cleaned.
    return withoutDirections(`<!doctype html>${html}`);
  }
}
