import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { filesVersion } from '../paths/page-files.js';
import { pagePaths } from '../paths/page-paths.js';

const forEver = { maxAge: '1y', immutable: true };
const aDay = { maxAge: '1d' };

/** The styles, the scripts and the icons of the pages, and what search engines ask for. */
@Controller()
export class PageFilesController {
  /**
   * While replicas are replaced, a page of one may load files from another: an address with another version is the file as it is
   * here, and not kept.
   */
  @Get(`${pagePaths.files}/:version/:file`)
  @RouteConfig({ rateLimit: false })
  send(@Param('version') asked: string, @Param('file') file: string, @Res() reply: FastifyReply): void {
    reply.sendFile(file, asked === filesVersion ? forEver : { cacheControl: false });
  }

  @Get(['favicon.ico', 'robots.txt'])
  @RouteConfig({ rateLimit: false })
  sendByName(@Req() { routeOptions: { url = '' } }: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.sendFile(url, aDay);
  }
}
