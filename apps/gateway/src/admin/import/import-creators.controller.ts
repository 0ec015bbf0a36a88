import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { type ImportReport } from '@app/contracts';
import { type RequestContext } from '@app/transport';
import { type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { CallContext } from '../call-context.js';
import { ImportCreatorsService } from './import-creators.service.js';
import { bytesOf } from './ndjson-body.js';

/** Creates and replaces creators from an NDJSON body of any length. */
@Controller('creators/import')
export class ImportCreatorsController {
  constructor(private readonly imports: ImportCreatorsService) {}

  @Post()
  @HttpCode(200)
  import(
    @Req() request: FastifyRequest<{ Body: Readable | undefined }>,
    @CallContext() context: RequestContext,
  ): Promise<ImportReport> {
    return this.imports.import(bytesOf(request.body ?? Readable.from([])), context);
  }
}
