import { Get, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { KnownCatalogFacts, KnownSignInMethods } from '../../data/cached-answers.js';
import { homePath } from '../../paths/page-paths.js';
import { Pages } from '../../rendering/pages.decorator.js';
import { type PageView } from '../../view/page.js';
import { homePage } from './home.page.js';

/** `/`, for everyone. */
@Pages(homePath)
export class HomeController {
  constructor(
    private readonly methods: KnownSignInMethods,
    private readonly facts: KnownCatalogFacts,
  ) {}

  @Get()
  async show(@Req() { messageContext: context }: FastifyRequest): Promise<PageView> {
    const [methods, facts] = await Promise.all([this.methods.find(context), this.facts.find(context)]);
    return homePage(facts, methods?.sign_up_open === true);
  }
}
