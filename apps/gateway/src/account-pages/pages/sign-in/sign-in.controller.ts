import {
  emailProblem,
  finishSignInByCode,
  finishSignInByLink,
  requestSignIn,
  ServiceError,
} from '@app/contracts';
import { CONFIG, newToken, sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../config/public-origin.js';
import { NetworkLimits } from '../../../rate-limit/network-limits.js';
import { KnownSignInMethods } from '../../data/sign-in-methods.js';
import { OpenIdProvider } from '../../openid/openid-provider.js';
import { pagePaths, pagesPrefix, returnPath, withQuery } from '../../paths/page-paths.js';
import { Pages } from '../../rendering/pages.decorator.js';
import { isToken } from '../../sessions/cookies.js';
import { CurrentGuest, type GuestRequest } from '../../sessions/member-request.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { GuestGuard } from '../../sessions/session.guard.js';
import { SignInCookie } from '../../sessions/sign-in-cookie.js';
import { fieldProblem, Form, type FormFields, Parameters, submit } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { codePage, linkPage, oldLinkPage, signInPage } from './sign-in.page.js';

const wrongCode = 'That code is wrong or has expired. After five attempts, request a new one.';

/** Sign-in by mail: an address, then the code or the link that was sent to it. */
@Pages(pagePaths.signIn)
@UseGuards(GuestGuard)
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
    @CurrentGuest() guest: GuestRequest,
    @Parameters() parameters: FormFields,
  ): Promise<PageView> {
    // Without an answer of billing, the form says what is wrong when it is sent.
    const methods = await this.methods.find(guest.context());
    return signInPage({
      hasMail: methods?.by_mail ?? true,
      isSignUpOpen: methods?.sign_up_open,
      returnTo: wanted(parameters),
      hasProvider: this.provider.isConfigured,
      email: this.underWay.read(request)?.email ?? '',
      isSignedOut: parameters.text('done') === 'signed-out',
    });
  }

  /** The next page is the same for every address, known or not. */
  @Post()
  sendMail(
    @Form() form: FormFields,
    @CurrentGuest() guest: GuestRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FormResult> {
    const returnTo = wanted(form);
    const page = (): PageView =>
      signInPage({ returnTo, hasMail: true, hasProvider: this.provider.isConfigured });
    return submit({ form, page, otherwise: 'email', codes: ['unavailable'] }, async () => {
      await this.limits.admit('sign_in', request.ip);
      const email = form.text('email');
      const problem = emailProblem(email);
      if (problem !== null) throw fieldProblem('email', problem);
      // A secret of its own: a code that was sent before no longer counts in this browser.
      const token = newToken();
      await this.requestMail(email, token, guest);
      this.underWay.set(reply, { token, email });
      return withQuery(`${pagePaths.signIn}/code`, { return_to: returnTo });
    });
  }

  @Get('code')
  askCode(@Req() request: FastifyRequest, @Parameters() parameters: FormFields): FormResult {
    const email = this.underWay.read(request)?.email;
    if (email === undefined) return new SeeOther(pagePaths.signIn);
    return codePage({ email, returnTo: wanted(parameters) });
  }

  @Post('code')
  async takeCode(
    @Form() form: FormFields,
    @CurrentGuest() guest: GuestRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FormResult> {
    await this.limits.admit('sign_in_code', request.ip);
    const email = this.underWay.read(request)?.email ?? '';
    const page = (): PageView => codePage({ email, returnTo: wanted(form) });
    return submit({ form, page, otherwise: 'code', codes: ['unauthorized'] }, async () => {
      const code = form.text('code').replace(/\s/g, '');
      const next = returnPath(form.text('return_to'));
      const context = guest.context();
      const browser = { browser_hash: sha256(guest.token), ...guest.sender };
      const ask = (session_hash: string) =>
        this.services.request(finishSignInByCode, { ...browser, code, session_hash }, context);
      const isSignedIn =
        /^[0-9]{6}$/.test(code) && (await this.sessions.tryBegin(reply, { ask, next, context }));
      if (!isSignedIn) throw new ServiceError('unauthorized', wrongCode);
      await this.limits.giveBack('sign_in_code', request.ip);
      return next;
    });
  }

  @Get('link')
  askLink(@Parameters() parameters: FormFields): PageView {
    const token = parameters.text('token');
    return isToken(token) ? linkPage(token) : oldLinkPage();
  }

  @Post('link')
  async takeLink(
    @Form() form: FormFields,
    @CurrentGuest() guest: GuestRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FormResult> {
    await this.limits.admit('sign_in_code', request.ip);
    const token = form.text('token');
    if (!isToken(token)) return oldLinkPage();
    const context = guest.context();
    const link = { token_hash: sha256(token), ...guest.sender };
    const ask = (session_hash: string) =>
      this.services.request(finishSignInByLink, { ...link, session_hash }, context);
    const next = pagePaths.overview;
    if (!(await this.sessions.tryBegin(reply, { ask, next, context }))) return oldLinkPage();
    await this.limits.giveBack('sign_in_code', request.ip);
    return new SeeOther(next);
  }

  private async requestMail(email: string, token: string, guest: GuestRequest): Promise<void> {
    const browser = { browser_hash: sha256(token), pages_url: this.pagesUrl, ...guest.sender };
    const request = { email, sign_in_id: uuidv7(), ...browser };
    try {
      await this.services.request(requestSignIn, request, guest.context());
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
      throw fieldProblem('email', 'Enter a valid email address.');
    }
  }
}

/** A page to go to afterwards, when it is not the first one anyway. */
function wanted(fields: FormFields): string | undefined {
  const path = returnPath(fields.text('return_to'));
  return path === pagePaths.overview ? undefined : path;
}
