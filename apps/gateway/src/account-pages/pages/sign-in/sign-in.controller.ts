import {
  emailProblem,
  finishSignInByCode,
  finishSignInByLink,
  requestSignIn,
  ServiceError,
} from '@app/contracts';
import { CONFIG, newToken, sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import {
  Controller,
  Get,
  Inject,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { NetworkLimits } from '../../../rate-limit/network-limits.js';
import { KnownSignInMethods } from '../../data/known-sign-in-methods.js';
import { OpenIdProvider } from '../../openid/openid-provider.js';
import { pagePaths, pagesPrefix, withQuery } from '../../paths/page-paths.js';
import { PageErrorFilter } from '../../rendering/page-error.filter.js';
import { PageInterceptor } from '../../rendering/page.interceptor.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { returnPath } from '../../sessions/return-path.js';
import { senderOf } from '../../sessions/sender.js';
import { SignInCookie } from '../../sessions/sign-in-cookie.js';
import { isToken } from '../../sessions/tokens.js';
import { CurrentVisitor, type Visitor } from '../../sessions/visit.js';
import { VisitorGuard } from '../../sessions/visitor.guard.js';
import { refuse } from '../../view/form-refusal.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { codePage } from './code.page.js';
import { linkPage, oldLinkPage } from './link.page.js';
import { signInPage } from './sign-in.page.js';

const wrongCode = 'That code is wrong or has expired. After five attempts, request a new one.';

/** Sign-in by mail: an address, then the code or the link that was sent to it. */
@Controller(pagePaths.signIn)
@UseGuards(VisitorGuard)
@UseInterceptors(PageInterceptor)
@UseFilters(PageErrorFilter)
export class SignInController {
  private readonly pagesUrl: string;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    private readonly services: ServiceClient,
    private readonly limits: NetworkLimits,
    private readonly underWay: SignInCookie,
    private readonly sessions: MemberSessions,
    private readonly provider: OpenIdProvider,
    private readonly methods: KnownSignInMethods,
  ) {
    this.pagesUrl = publicOrigin(config) + pagesPrefix;
  }

  @Get()
  async show(
    @Req() request: FastifyRequest,
    @CurrentVisitor() visitor: Visitor,
    @Parameters() parameters: FormFields,
  ): Promise<PageView> {
    // Without an answer of billing, the form says what is wrong when it is sent.
    const methods = await this.methods.find(visitor.context());
    return signInPage({
      hasMail: methods?.by_mail ?? true,
      isSignUpOpen: methods?.sign_up_open,
      returnTo: wanted(parameters.text('return_to')),
      hasProvider: this.provider.isConfigured,
      email: this.underWay.read(request)?.email ?? '',
      isSignedOut: parameters.text('done') === 'signed-out',
    });
  }

  /** The next page is the same for every address, known or not. */
  @Post()
  async sendMail(
    @Form() form: FormFields,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    const email = form.text('email');
    const returnTo = wanted(form.text('return_to'));
    const again = (problem: string, status: number): PageView => {
      const page = signInPage({ returnTo, hasMail: true, hasProvider: this.provider.isConfigured });
      return refuse(page, { form, problems: { email: problem } }, status);
    };
    // A secret of its own: a code that was sent before counts no more in this browser.
    const token = newToken();
    try {
      await this.limits.admit('sign_in', request.ip);
      const problem = emailProblem(email);
      if (problem !== null) return again(problem, 400);
      await this.services.request(
        requestSignIn,
        {
          email,
          sign_in_id: uuidv7(),
          browser_hash: sha256(token),
          pages_url: this.pagesUrl,
          ...senderOf(request),
        },
        visitor.context(),
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'rate_limited') return again(error.message, 429);
      if (error.code === 'invalid_request') return again('Enter a valid email address.', 400);
      if (error.code === 'unavailable') return again(error.message, 503);
      throw error;
    }
    this.underWay.set(reply, { token, email });
    return new SeeOther(withQuery(`${pagePaths.signIn}/code`, { return_to: returnTo }));
  }

  @Get('code')
  askCode(@Req() request: FastifyRequest, @Parameters() parameters: FormFields): PageView | SeeOther {
    const email = this.underWay.read(request)?.email;
    if (email === undefined) return new SeeOther(pagePaths.signIn);
    return codePage({ email, returnTo: wanted(parameters.text('return_to')) });
  }

  @Post('code')
  async takeCode(
    @Form() form: FormFields,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    await this.limits.admit('sign_in_code', request.ip);
    const email = this.underWay.read(request)?.email ?? '';
    const returnTo = form.text('return_to');
    const code = form.text('code').replace(/\s/g, '');
    const again = (): PageView => {
      const page = codePage({ email, returnTo: wanted(returnTo) });
      return refuse(page, { form, problems: { code: wrongCode } }, 401);
    };
    if (!/^[0-9]{6}$/.test(code)) return again();
    const next = returnPath(returnTo);
    const context = visitor.context();
    const browser = { browser_hash: sha256(visitor.token), ...senderOf(request) };
    const isSignedIn = await this.sessions.beginUnlessRefused(reply, {
      ask: (session_hash) =>
        this.services.request(finishSignInByCode, { ...browser, code, session_hash }, context),
      next,
      context,
    });
    if (!isSignedIn) return again();
    await this.limits.giveBack('sign_in_code', request.ip);
    return new SeeOther(next);
  }

  @Get('link')
  askLink(@Parameters() parameters: FormFields): PageView {
    const token = parameters.text('token');
    return isToken(token) ? linkPage(token) : oldLinkPage();
  }

  @Post('link')
  async takeLink(
    @Form() form: FormFields,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    await this.limits.admit('sign_in_code', request.ip);
    const token = form.text('token');
    if (!isToken(token)) return oldLinkPage();
    const context = visitor.context();
    const link = { token_hash: sha256(token), ...senderOf(request) };
    const isSignedIn = await this.sessions.beginUnlessRefused(reply, {
      ask: (session_hash) => this.services.request(finishSignInByLink, { ...link, session_hash }, context),
      next: pagePaths.overview,
      context,
    });
    if (!isSignedIn) return oldLinkPage();
    await this.limits.giveBack('sign_in_code', request.ip);
    return new SeeOther(pagePaths.overview);
  }
}

/** A page to go to afterwards, when it is not the first one anyway. */
function wanted(returnTo: string): string | undefined {
  const path = returnPath(returnTo);
  return path === pagePaths.overview ? undefined : path;
}
