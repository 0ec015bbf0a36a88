import { ServiceError } from '#contracts';
import { CONFIG } from '#platform';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { PUBLIC_ORIGIN } from '../../../config/public-origin.js';
import { Prepared, PreparedAnswers } from '../../../answers/prepared-answers.js';
import { PreparedFile } from '../../../answers/prepared-file.js';
import { KnownSignInMethods } from '../../data/sign-in-methods.js';
import { homePath } from '../../paths/page-paths.js';
import { PageRenderer, setHeaders } from '../../rendering/page-renderer.js';
import { Cookies } from '../../sessions/cookies.js';
import { type Entrance, homePage } from './home.page.js';

interface HomeConfig {
  readonly SALES_EMAIL?: string;
  readonly ACCOUNT_PAGES: string;
}

/** It depends on whether there is a session, and on whether sign-up is open. */
const cacheControl = 'private, no-cache';

/** `/`, without a key: prepared once for each way into an account. */
@Controller()
export class HomeController {
  private readonly pages = new Map<Entrance, PreparedFile>();

  constructor(
    @Inject(CONFIG) private readonly config: HomeConfig,
    @Inject(PUBLIC_ORIGIN) private readonly origin: string,
    private readonly answers: PreparedAnswers,
    private readonly renderer: PageRenderer,
    private readonly cookies: Cookies,
    private readonly methods: KnownSignInMethods,
  ) {}

  /** Only for browsers: to a program this is a path of the API that does not exist. */
  @Get(homePath)
  @Prepared()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!(request.headers.accept ?? '').includes('text/html')) {
      throw new ServiceError('not_found', 'No such path.');
    }
    const entrance = await this.entranceOf(request);
    const page = homePage({ origin: this.origin, salesEmail: this.config.SALES_EMAIL, entrance });
    let file = this.pages.get(entrance);
    if (!file) {
      const html = this.renderer.renderShared(page);
      file = new PreparedFile('text/html; charset=utf-8', Buffer.from(html));
      this.pages.set(entrance, file);
    }
    setHeaders(page, reply);
    return this.answers.send(reply, file, cacheControl);
  }

  /** The account is offered with any session cookie, valid or not: its page asks to sign in if needed. */
  private async entranceOf(request: FastifyRequest): Promise<Entrance> {
    if (this.config.ACCOUNT_PAGES !== 'on') return 'none';
    if (this.cookies.read(request, 'session') !== undefined) return 'account';
    return (await this.methods.find(request.call))?.sign_up_open ? 'sign_up' : 'sign_in';
  }
}
