import { ServiceError } from '@app/contracts';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { networkOf } from '../network/network-of.js';
import { PreparedAnswers } from '../prepared/prepared-answers.js';
import { PreparedFile } from '../prepared/prepared-file.js';
import { Prepared } from '../prepared/prepared-route.js';
import { DownloadLimit } from './download-limit.js';
import { ReferenceFiles } from './reference-files.js';
import { pageHeaders, referencePage } from './reference-page.js';

/** The page names its files by their content: it is asked for again each time. */
const pageCacheControl = 'public, no-cache';

/** `GET /docs` at the root, without a key: a page on which the public API can be read and tried. */
@Controller('docs')
export class ReferencePageController {
  private readonly page: PreparedFile;

  constructor(
    private readonly files: ReferenceFiles,
    private readonly answers: PreparedAnswers,
    private readonly downloads: DownloadLimit,
  ) {
    const html = referencePage((name) => files.addressOf(name));
    this.page = new PreparedFile('text/html; charset=utf-8', Buffer.from(html));
  }

  @Get()
  @Prepared()
  show(@Res() reply: FastifyReply): Promise<void> {
    void reply.headers(pageHeaders);
    return this.answers.send(reply, this.page, pageCacheControl);
  }

  @Get(':file')
  @Prepared()
  sendFile(@Param('file') address: string, @Res() reply: FastifyReply): Promise<void> {
    const found = this.files.find(address);
    if (!found) throw new ServiceError('not_found', 'No such path.');
    const { ip } = reply.request;
    if (found.file.isLarge) this.downloads.begin(networkOf(ip), exchangeOf(reply.request));
    return this.answers.send(reply, found.file, found.cacheControl);
  }
}
