import { Get, Inject, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { API_ORIGIN, SITE_ORIGIN } from '../../config/origins.js';
import { KnownCatalogFacts, KnownSignInMethods } from '../../data/cached-answers.js';
import { homePath } from '../../paths/page-paths.js';
import { Pages } from '../../rendering/pages.decorator.js';
import { Cookies } from '../../sessions/cookies.js';
import { type PageView } from '../../view/page.js';
import { type Entrance, homePage } from './home.page.js';

/** `/`, for everyone. */
@Pages(homePath)
export class HomeController {
  constructor(
    @Inject(API_ORIGIN) private readonly origin: string,
    @Inject(SITE_ORIGIN) private readonly siteOrigin: string,
    private readonly cookies: Cookies,
    private readonly methods: KnownSignInMethods,
    private readonly facts: KnownCatalogFacts,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest): Promise<PageView> {
    const { origin, siteOrigin } = this;
    const [entrance, facts] = await Promise.all([
      this.entranceOf(request),
      this.facts.find(request.messageContext),
    ]);
    return homePage({ origin, siteOrigin, facts, entrance });
  }

  /** The account is offered with any session cookie, valid or not: its page asks to sign in if needed. */
  private async entranceOf(request: FastifyRequest): Promise<Entrance> {
    if (this.cookies.read(request, 'session') !== undefined) return 'account';
    return (await this.methods.find(request.messageContext))?.sign_up_open ? 'sign_up' : 'sign_in';
  }
}
