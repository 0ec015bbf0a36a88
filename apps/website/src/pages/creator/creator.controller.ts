import { getPublicCreator, ServiceError, slugLengthMax, slugPattern } from '#contracts';
import { ServiceClient } from '#transport';
import { Get, Inject, Param, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { SITE_ORIGIN } from '../../config/origins.js';
import { KnownSignInMethods } from '../../data/cached-answers.js';
import { NetworkLimits } from '../../network-limits.js';
import { creatorsPrefix } from '../../paths/page-paths.js';
import { Pages } from '../../rendering/pages.decorator.js';
import { type FormResult, SeeOther } from '../../view/page.js';
import { creatorPage } from './creator.page.js';

/** `/creators/{slug}`, where the `url` of a creator leads: for everyone, without what the API sells. */
@Pages(creatorsPrefix)
export class CreatorController {
  constructor(
    @Inject(SITE_ORIGIN) private readonly origin: string,
    private readonly services: ServiceClient,
    private readonly limits: NetworkLimits,
    private readonly methods: KnownSignInMethods,
  ) {}

  @Get(':slug')
  async show(@Param('slug') slug: string, @Req() request: FastifyRequest): Promise<FormResult> {
    await this.limits.admit('creatorPagesAMinute', request.ip);
    await this.limits.admit('creatorPagesADay', request.ip);
    if (slug.length > slugLengthMax || !slugPattern.test(slug)) throw noSuchCreator();
    const { creator } = await this.services.request(getPublicCreator, { slug }, request.messageContext);
    // The site that SITE_URL names has a page of its own.
    if (!creator || !URL.canParse(creator.url) || new URL(creator.url).origin !== this.origin) {
      throw noSuchCreator();
    }
    // An old slug, from before the creator was joined into this one.
    if (!creator.url.endsWith(`/${slug}`)) return new SeeOther(new URL(creator.url).pathname, 301);
    const methods = await this.methods.find(request.messageContext);
    return { ...creatorPage(creator), offersSignUp: methods?.sign_up_open === true };
  }
}

function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'No published creator has this slug.');
}
