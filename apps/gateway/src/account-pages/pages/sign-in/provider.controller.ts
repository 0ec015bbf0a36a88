import { ServiceError, signInWithIdentity } from '@app/contracts';
import { CONFIG, sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Inject, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { NetworkLimits } from '../../../rate-limit/network-limits.js';
import { IdentityRefusal, loggable } from '../../openid/identity-refusal.js';
import { OpenIdCookies, type OpenIdUnderWay } from '../../openid/openid-cookies.js';
import { OpenIdProvider, type VerifiedIdentity } from '../../openid/openid-provider.js';
import { ProviderSignIns } from '../../openid/provider-sign-ins.js';
import { pagePaths } from '../../paths/page-paths.js';
import { PageErrorFilter } from '../../rendering/page-error.filter.js';
import { PageInterceptor } from '../../rendering/page.interceptor.js';
import { Cookies } from '../../sessions/cookies.js';
import { type FormFields, Parameters } from '../../sessions/form-fields.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { returnPath } from '../../sessions/return-path.js';
import { senderOf } from '../../sessions/sender.js';
import { SessionLookUps } from '../../sessions/session-look-ups.js';
import { isToken } from '../../sessions/tokens.js';
import { Visitor } from '../../sessions/visit.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { refusedIdentityPage } from './refused-identity.page.js';

const path = `${pagePaths.signIn}/provider`;
/** What billing has at least, when the provider took most of the request's time. */
const billingMsMin = 1_000;
const retryAfterSeconds = '1';
/** Billing refuses this person; its message says why. */
const ofThePerson: readonly string[] = ['forbidden', 'conflict', 'unauthorized'];

/** Sign-in with the OpenID provider of the configuration. */
@Controller(path)
@UseInterceptors(PageInterceptor)
@UseFilters(PageErrorFilter)
export class ProviderController {
  private readonly redirectUri: string;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    private readonly services: ServiceClient,
    private readonly limits: NetworkLimits,
    private readonly provider: OpenIdProvider,
    private readonly underWay: OpenIdCookies,
    private readonly sessions: MemberSessions,
    private readonly cookies: Cookies,
    private readonly lookUps: SessionLookUps,
    private readonly signIns: ProviderSignIns,
  ) {
    this.redirectUri = `${publicOrigin(config)}${path}/callback`;
  }

  @Get()
  @RouteConfig({ waitsOutside: true })
  async begin(
    @Parameters() parameters: FormFields,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    this.assertConfigured();
    await this.limits.admit('provider_begin', request.ip);
    const returnTo = returnPath(parameters.text('return_to'));
    try {
      const chooseAccount = parameters.text('account') === 'another';
      const { url, attempt } = await this.provider.begin(this.redirectUri, chooseAccount);
      this.underWay.set(request, reply, { ...attempt, returnTo });
      return new SeeOther(url.href);
    } catch (error) {
      return this.refuse(error, request, reply, returnTo);
    }
  }

  /** Where the provider sends the browser back to. */
  @Get('callback')
  @RouteConfig({ waitsOutside: true })
  async finish(
    @Parameters() parameters: FormFields,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    this.assertConfigured();
    await this.limits.admit('provider_callback', request.ip);
    const underWay = this.underWay.take(request, reply, parameters.text('state'));
    try {
      if (!underWay) {
        // "Back" in a browser that has signed in with it already.
        if (await this.isSignedIn(request)) return new SeeOther(pagePaths.overview);
        throw new IdentityRefusal('unknown_attempt');
      }
      await this.signIn(await this.identify(request, underWay), underWay.returnTo, request, reply);
    } catch (error) {
      return this.refuse(error, request, reply, underWay?.returnTo);
    }
    this.signIns.noteSuccess();
    await this.limits.giveBack('provider_callback', request.ip);
    await this.limits.giveBack('provider_begin', request.ip);
    return new SeeOther(underWay.returnTo);
  }

  private identify(request: FastifyRequest, underWay: OpenIdUnderWay): Promise<VerifiedIdentity> {
    const callbackUrl = new URL(this.redirectUri);
    callbackUrl.search = new URL(request.url, callbackUrl).search;
    return this.provider.finish(callbackUrl, underWay);
  }

  private async signIn(
    identity: VerifiedIdentity,
    next: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const context = new Visitor(request, '').context();
    const patient = { ...context, deadlineMs: Math.max(billingMsMin, context.deadlineMs ?? 0) };
    const person = { ...identity, ...senderOf(request) };
    try {
      await this.sessions.begin(reply, {
        ask: (session_hash) =>
          this.services.request(signInWithIdentity, { ...person, session_hash }, patient),
        next,
        context: patient,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || !ofThePerson.includes(error.code)) throw error;
      throw new IdentityRefusal(
        'not_admitted',
        { problem: loggable(error.message), subject: identity.subject },
        error.message,
      );
    }
  }

  private async isSignedIn(request: FastifyRequest): Promise<boolean> {
    const token = this.cookies.read(request, 'session') ?? '';
    const context = new Visitor(request, token).context();
    return isToken(token) && (await this.lookUps.find(sha256(token), request.ip, context)) !== null;
  }

  /** The page that says why; throws what is no refusal. */
  private refuse(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string | undefined,
  ): PageView {
    if (!(error instanceof IdentityRefusal)) {
      this.signIns.noteFailure();
      throw error;
    }
    this.signIns.noteRefusal(error, request.id);
    const page = refusedIdentityPage(error, { returnTo, requestId: request.id });
    if (page.status === 503) void reply.header('retry-after', retryAfterSeconds);
    return page;
  }

  private assertConfigured(): void {
    if (!this.provider.isConfigured) throw new ServiceError('not_found', 'No such page.');
  }
}
