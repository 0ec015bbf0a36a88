import { ServiceError } from '@app/contracts';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { PreparedAnswers } from '../../prepared/prepared-answers.js';
import { Prepared } from '../../prepared/prepared-route.js';
import { pagePaths } from '../paths/page-paths.js';
import { PageFiles } from './page-files.js';

/** The style, the script and the icon of the pages. */
@Controller(pagePaths.files)
export class PageFilesController {
  constructor(
    private readonly files: PageFiles,
    private readonly answers: PreparedAnswers,
  ) {}

  @Get(':file')
  @Prepared()
  send(@Param('file') address: string, @Res() reply: FastifyReply): Promise<void> {
    const found = this.files.find(address);
    if (!found) throw new ServiceError('not_found', 'No such path.');
    return this.answers.send(reply, found.file, found.cacheControl);
  }
}
