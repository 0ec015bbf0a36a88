import { foldEmail, ServiceError, signInWithIdentity } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Inject, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { NetworkLimits } from '../../../rate-limit/network-limits.js';
import { OpenIdCookie } from '../../openid/openid-cookie.js';
import { OpenIdProvider } from '../../openid/openid-provider.js';
import { pagePaths } from '../../paths/page-paths.js';
import { PageErrorFilter } from '../../rendering/page-error.filter.js';
import { PageInterceptor } from '../../rendering/page.interceptor.js';
import { type FormFields, Parameters } from '../../sessions/form-fields.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { returnPath } from '../../sessions/return-path.js';
import { senderOf } from '../../sessions/sender.js';
import { Visitor } from '../../sessions/visit.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { refusedIdentityPage } from './refused-identity.page.js';

const path = `${pagePaths.signIn}/provider`;

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
    private readonly cookie: OpenIdCookie,
    private readonly sessions: MemberSessions,
  ) {
    this.redirectUri = `${publicOrigin(config)}${path}/callback`;
  }

  @Get()
  async begin(
    @Parameters() parameters: FormFields,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    this.assertConfigured();
    await this.limits.admit('sign_in', request.ip);
    const { url, attempt } = await this.provider.begin(this.redirectUri);
    this.cookie.set(reply, { ...attempt, returnTo: returnPath(parameters.text('return_to')) });
    return new SeeOther(url.href);
  }

  /** Where the provider sends the browser back to. */
  @Get('callback')
  async finish(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageView | SeeOther> {
    this.assertConfigured();
    await this.limits.admit('sign_in_code', request.ip);
    const underWay = this.cookie.take(request, reply);
    if (!underWay) {
      return refusedIdentityPage('This sign-in began in another browser, or more than ten minutes ago.');
    }
    const callbackUrl = new URL(this.redirectUri);
    callbackUrl.search = new URL(request.url, callbackUrl).search;
    try {
      const identity = await this.provider.finish(callbackUrl, underWay);
      if (foldEmail(identity.email) === null) {
        return refusedIdentityPage('The email address that the provider gave for you cannot be used here.');
      }
      const context = new Visitor(request, '').context();
      await this.sessions.begin(reply, (session_hash) =>
        this.services.request(
          signInWithIdentity,
          { ...identity, session_hash, ...senderOf(request) },
          context,
        ),
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'forbidden') {
        return refusedIdentityPage(
          'Your address is not a member of any account here, and is not invited to one.',
        );
      }
      if (error.code === 'unauthorized') return refusedIdentityPage(error.message);
      throw error;
    }
    await this.limits.giveBack('sign_in_code', request.ip);
    return new SeeOther(underWay.returnTo);
  }

  private assertConfigured(): void {
    if (!this.provider.isConfigured) throw new ServiceError('not_found', 'No such page.');
  }
}
