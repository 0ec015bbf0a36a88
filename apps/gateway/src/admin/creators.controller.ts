import {
  CreatorBody,
  type CreatorView,
  deleteCreator,
  getCreator,
  ImportQuery,
  type ImportReport,
  publishCreator,
  PublishCreatorBody,
  putCreator,
  type Removal,
  RemovalReason,
  removeCreator,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Call, CurrentCall } from '../requests/call.js';
import { ImportCreatorsService } from './import/import-creators.service.js';
import { bytesOf } from './import/ndjson-body.js';
import { Area } from './operators/roles.js';
import { Slug } from './parameters.js';

/** Creators, published or not: one at a time, and imports. */
@Area('creators')
@Controller('creators')
export class CreatorsController {
  constructor(
    private readonly services: ServiceClient,
    private readonly imports: ImportCreatorsService,
  ) {}

  /** Creates and replaces creators from an NDJSON body of any length, or only reports what that would do. */
  @Post('import')
  @HttpCode(200)
  import(
    @Req() { body }: FastifyRequest<{ Body: Readable | undefined }>,
    @Query() { dry_run }: ImportQuery,
    @CurrentCall() call: Call,
  ): Promise<ImportReport> {
    const lines = bytesOf(body ?? Readable.from([]));
    return this.imports.import(lines, dry_run, call);
  }

  @Get(':slug')
  show(@Slug() slug: string, @CurrentCall() call: Call): Promise<CreatorView> {
    return this.services.request(getCreator, { slug }, call);
  }

  /** Replaces the whole creator; a field that is left out gets its default. */
  @Put(':slug')
  async put(
    @Slug() slug: string,
    @Body() record: CreatorBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatorView> {
    const { created, creator } = await this.services.request(putCreator, { slug, record }, call);
    reply.status(created ? 201 : 200);
    return creator;
  }

  @Patch(':slug')
  publish(
    @Slug() slug: string,
    @Body() { published }: PublishCreatorBody,
    @CurrentCall() call: Call,
  ): Promise<CreatorView> {
    return this.services.request(publishCreator, { slug, published }, call);
  }

  /** Deletes a creator at their request, so that no import brings them back. */
  @Post(':slug/remove')
  @HttpCode(201)
  remove(@Slug() slug: string, @Body() reason: RemovalReason, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(removeCreator, { slug, ...reason }, call);
  }

  @Delete(':slug')
  delete(@Slug() slug: string, @CurrentCall() call: Call): Promise<{ deleted: true }> {
    return this.services.request(deleteCreator, { slug }, call);
  }
}
