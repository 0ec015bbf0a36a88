import { withoutDirections } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { API_ORIGIN, SITE_ORIGIN } from '../config/origins.js';
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
    @Inject(SITE_ORIGIN) private readonly siteOrigin: string,
    private readonly cookies: Cookies,
    private readonly kept: KeptForms,
  ) {}

  /** The HTML of the response; its status and headers are set on the reply. */
  render(page: PageView, request: FastifyRequest, reply: FastifyReply): string {
    void reply.code(page.status ?? 200).type('text/html; charset=utf-8');
    if (page.formTarget !== undefined) allowForms(reply, page.formTarget);
    const { apiOrigin, siteOrigin, config: site } = this;
    const { guest, url: path } = request;
    const member = guest instanceof MemberRequest ? guest : undefined;
    const kept = member && doneCode(path) === 'not-saved' ? this.kept.take(member) : undefined;
    const context = {
      path,
      apiOrigin,
      siteOrigin,
      site,
      formToken: guest?.formToken ?? '',
      refusal: page.refusal ?? (kept && { form: kept, problems: {} }),
      referenceUrl: `${apiOrigin}/docs`,
      hasSession: this.cookies.read(request, 'session') !== undefined,
    };
    const html = renderToString(
      <PageContext.Provider value={context}>
        <Document page={page} session={member?.session} />
      </PageContext.Provider>,
    );
    // Names that were stored before names were cleaned.
    return withoutDirections(`<!doctype html>${html}`);
  }
}
