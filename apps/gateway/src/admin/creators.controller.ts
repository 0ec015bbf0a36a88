import {
  CreatorBody,
  CreatorQuery,
  type CreatorView,
  deleteCreator,
  type Duplicate,
  getCreator,
  getRemoval,
  ImportQuery,
  listCreators,
  ListCreatorsRequest,
  type ImportReport,
  type ImportSummary,
  joinCreator,
  JoinCreatorBody,
  listDuplicates,
  ListDuplicatesRequest,
  listImports,
  listRemovals,
  PageRequest,
  publishCreator,
  PublishCreatorBody,
  putCreator,
  readmitCreator,
  type Removal,
  RemovalReason,
  RemoveAccountsBody,
  removeCreator,
  undoImport,
  type UndoReply,
  unpublishCreators,
  type UnpublishCreatorsReply,
  UnpublishCreatorsRequest,
  CreatorPath,
  ImportPath,
  RemovalPath,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Call, CurrentCall } from '../requests/call.js';
import { ImportCreatorsService } from './import/import-creators.service.js';
import { bytesOf } from './import/ndjson-body.js';
import { Area } from './operators/roles.js';
import { Path } from './parameters.js';

/** Creators, published or not: one at a time, and imports; removals, which keep creators out of the catalog. */
@Area('creators')
@Controller()
export class CreatorsController {
  constructor(
    private readonly services: ServiceClient,
    private readonly imports: ImportCreatorsService,
  ) {}

  /** Creates and replaces creators from an NDJSON body of any length, or only reports what that would do. */
  @Post('creators/import')
  @HttpCode(200)
  import(
    @Req() { body }: FastifyRequest<{ Body: Readable | undefined }>,
    @Query() query: ImportQuery,
    @CurrentCall() call: Call,
  ): Promise<ImportReport> {
    const lines = bytesOf(body ?? Readable.from([]));
    return this.imports.import(lines, { ...query }, call);
  }

  /** Newest first. */
  @Get('imports')
  async listImports(
    @Query() page: PageRequest,
    @CurrentCall() call: Call,
  ): Promise<{ imports: ImportSummary[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listImports, { ...page }, call);
    return { imports: items, next_cursor };
  }

  /** Makes creators as they were before the import, unless they have changed since; repeat it until it is done. */
  @Post('imports/:import_id/undo')
  @HttpCode(200)
  undoImport(@Path() path: ImportPath, @CurrentCall() call: Call): Promise<UndoReply> {
    return this.services.request(undoImport, path, call);
  }

  /** By their slugs. */
  @Get('creators')
  async list(
    @Query() request: ListCreatorsRequest,
    @CurrentCall() call: Call,
  ): Promise<{ creators: CreatorView[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listCreators, { ...request }, call);
    return { creators: items, next_cursor };
  }

  /** Hides the creators of a source, a thousand at a time; repeat it with `next_cursor` until that is `null`. */
  @Post('creators/unpublish')
  @HttpCode(200)
  unpublish(
    @Body() request: UnpublishCreatorsRequest,
    @CurrentCall() call: Call,
  ): Promise<UnpublishCreatorsReply> {
    return this.services.request(unpublishCreators, request, call);
  }

  @Get('creators/:slug')
  show(
    @Path() path: CreatorPath,
    @Query() query: CreatorQuery,
    @CurrentCall() call: Call,
  ): Promise<CreatorView> {
    return this.services.request(getCreator, { ...path, ...query }, call);
  }

  /** Replaces the whole creator; a field that is left out gets its default. */
  @Put('creators/:slug')
  async put(
    @Path() path: CreatorPath,
    @Body() record: CreatorBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatorView> {
    const { created, creator } = await this.services.request(putCreator, { ...path, record }, call);
    reply.status(created ? 201 : 200);
    return creator;
  }

  @Patch('creators/:slug')
  publish(
    @Path() path: CreatorPath,
    @Body() body: PublishCreatorBody,
    @CurrentCall() call: Call,
  ): Promise<CreatorView> {
    return this.services.request(publishCreator, { ...path, ...body }, call);
  }

  /** Creators who are probably one, by their slugs. */
  @Get('duplicates')
  async listDuplicates(
    @Query() page: ListDuplicatesRequest,
    @CurrentCall() call: Call,
  ): Promise<{ duplicates: Duplicate[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listDuplicates, { ...page }, call);
    return { duplicates: items, next_cursor };
  }

  /** Makes one creator of two; the slug of the path leads to the other one from then on. */
  @Post('creators/:slug/join')
  @HttpCode(200)
  join(
    @Path() path: CreatorPath,
    @Body() body: JoinCreatorBody,
    @CurrentCall() call: Call,
  ): Promise<CreatorView> {
    return this.services.request(joinCreator, { ...path, ...body }, call);
  }

  /** Deletes a creator at their request, so that no import brings them back. */
  @Post('creators/:slug/remove')
  @HttpCode(201)
  remove(
    @Path() path: CreatorPath,
    @Body() reason: RemovalReason,
    @CurrentCall() call: Call,
  ): Promise<Removal> {
    return this.services.request(removeCreator, { ...path, ...reason }, call);
  }

  @Delete('creators/:slug')
  delete(@Path() path: CreatorPath, @CurrentCall() call: Call): Promise<{ deleted: true }> {
    return this.services.request(deleteCreator, path, call);
  }

  /** Newest first. */
  @Get('removals')
  async listRemovals(
    @Query() page: PageRequest,
    @CurrentCall() call: Call,
  ): Promise<{ removals: Removal[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listRemovals, { ...page }, call);
    return { removals: items, next_cursor };
  }

  /** Removes the creators who have these accounts, also before an import brings them. */
  @Post('removals')
  @HttpCode(201)
  removeAccounts(@Body() body: RemoveAccountsBody, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(removeCreator, { ...body }, call);
  }

  @Get('removals/:removal_id')
  showRemoval(@Path() removal: RemovalPath, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(getRemoval, removal, call);
  }

  /** Ends a removal that was a mistake: an import may bring the creator back. */
  @Delete('removals/:removal_id')
  readmit(@Path() removal: RemovalPath, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(readmitCreator, removal, call);
  }
}
