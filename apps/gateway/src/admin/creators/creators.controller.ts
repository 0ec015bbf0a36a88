import { Body, Controller, Delete, Get, Param, Patch, Put, Res } from '@nestjs/common';
import {
  CreatorBody,
  deleteCreator,
  getCreator,
  publishCreator,
  putCreator,
  type CreatorView,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { type FastifyReply } from 'fastify';
import { CallContext } from '../call-context.js';
import { statusOfCreation } from '../status-of-creation.js';
import { SlugPipe } from '../validation/slug.pipe.js';
import { PublishCreatorBody } from './creators.dto.js';

/** One creator at a time, published or not. */
@Controller('creators/:slug')
export class CreatorsController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  show(@Param('slug', SlugPipe) slug: string, @CallContext() context: RequestContext): Promise<CreatorView> {
    return this.services.request(getCreator, { slug }, context);
  }

  /** Replaces the whole creator; a field that is left out gets its default. */
  @Put()
  async put(
    @Param('slug', SlugPipe) slug: string,
    @Body() record: CreatorBody,
    @CallContext() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatorView> {
    const { created, creator } = await this.services.request(putCreator, { slug, record }, context);
    reply.status(statusOfCreation(created));
    return creator;
  }

  @Patch()
  publish(
    @Param('slug', SlugPipe) slug: string,
    @Body() { published }: PublishCreatorBody,
    @CallContext() context: RequestContext,
  ): Promise<CreatorView> {
    return this.services.request(publishCreator, { slug, published }, context);
  }

  @Delete()
  delete(
    @Param('slug', SlugPipe) slug: string,
    @CallContext() context: RequestContext,
  ): Promise<{ deleted: true }> {
    return this.services.request(deleteCreator, { slug }, context);
  }
}
