import { ServiceError } from '#contracts';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Prepared, PreparedAnswers } from '../../answers/prepared-answers.js';
import { contentTypes, PreparedFile } from '../../answers/prepared-file.js';
import { pagePaths, pagesPrefix } from '../paths/page-paths.js';
import { PageFiles } from './page-files.js';

const cacheControl = 'public, max-age=86400';

/** Search engines may show the home page, the reference and the pages of creators. */
const robots = ['User-agent: *', `Disallow: ${pagesPrefix}`, 'Disallow: /api/', 'Disallow: /mcp', ''].join(
  '\n',
);

/** The style, the script and the icons of the pages, and what search engines ask for. */
@Controller()
export class PageFilesController {
  private readonly robots = new PreparedFile(contentTypes.text, Buffer.from(robots));

  constructor(
    private readonly files: PageFiles,
    private readonly answers: PreparedAnswers,
  ) {}

  @Get(`${pagePaths.files}/:file`)
  @Prepared()
  send(@Param('file') address: string, @Res() reply: FastifyReply): Promise<void> {
    const found = this.files.find(address);
    if (!found) throw new ServiceError('not_found', 'No such path.');
    return this.answers.send(reply, found.file, found.cacheControl);
  }

  @Get('favicon.ico')
  @Prepared()
  sendIcon(@Res() reply: FastifyReply): Promise<void> {
    return this.answers.send(reply, this.files.favicon, cacheControl);
  }

  @Get('robots.txt')
  @Prepared()
  sendRobots(@Res() reply: FastifyReply): Promise<void> {
    return this.answers.send(reply, this.robots, cacheControl);
  }
}
