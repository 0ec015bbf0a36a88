import { Controller, Get, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { PreparedAnswers } from '../../../prepared/prepared-answers.js';
import { PreparedFile } from '../../../prepared/prepared-file.js';
import { Prepared } from '../../../prepared/prepared-route.js';
import { contentTypes } from '../../../prepared/read-prepared.js';
import { pagesPrefix } from '../../paths/page-paths.js';
import { PageFiles } from '../../rendering/page-files.js';

const cacheControl = 'public, max-age=86400';

/** Search engines may show the home page, the reference and the pages of creators. */
const robots = ['User-agent: *', `Disallow: ${pagesPrefix}`, 'Disallow: /api/', 'Disallow: /mcp', ''].join(
  '\n',
);

/** Files that browsers and search engines ask for by a name of their own. */
@Controller()
export class SiteFilesController {
  private readonly robots = new PreparedFile(contentTypes.text, Buffer.from(robots));

  constructor(
    private readonly files: PageFiles,
    private readonly answers: PreparedAnswers,
  ) {}

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
