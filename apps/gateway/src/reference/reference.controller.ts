import { readFileSync } from 'node:fs';
import { ServiceError } from '#contracts';
import { CONFIG, projectRoot } from '#platform';
import { Controller, Get, Inject, Param, Res, Injectable, Module } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Prepared, PreparedAnswers } from '../answers/prepared-answers.js';
import { PreparedFile, contentTypes, HashedFiles, readPrepared } from '../answers/prepared-file.js';
import { busy } from '../errors/gateway-errors.js';
import { limits } from '../limits.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';
import { pageHeaders, referencePage } from './reference-page.js';
import { SiteModule } from '../account-pages/site.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';

const ours = new URL('apps/gateway/browser/', projectRoot);
const swaggerUi = new URL('node_modules/swagger-ui-dist/', projectRoot);

/** What `swagger-ui-bundle.js` refers to for its licences. */
const licencesName = 'swagger-ui-bundle.js.LICENSE.txt';

/** The files of the reference page. */
@Injectable()
export class ReferenceFiles extends HashedFiles {
  constructor() {
    const { script, style, text } = contentTypes;
    super({
      'swagger-ui-bundle.js': readPrepared(script, swaggerUi, 'swagger-ui-bundle.js'),
      'swagger-ui.css': readPrepared(style, swaggerUi, 'swagger-ui.css'),
      'reference.js': readPrepared(script, ours, 'reference.js'),
      'reference.css': readPrepared(style, ours, 'reference.css', 'reference-narrow.css'),
      [licencesName]: readPrepared(text, swaggerUi, 'NOTICE', 'LICENSE', licencesName),
    });
  }
}

/** Written from the declarations by `npm run docs`. */
const documentFile = new URL('docs/openapi.json', projectRoot);

/** The document changes with the version of the gateway: programs that read it need not ask more often. */
const documentCacheControl = 'public, max-age=300';

/** The page names its files by their content: it is asked for again each time. */
const pageCacheControl = 'private, no-cache';

interface ReferenceConfig {
  readonly ACCOUNT_PAGES: string;
  readonly PUBLIC_URL?: string;
}

/** At the root, without a key: the OpenAPI document of the public API, and a page to read and try it. */
@Controller()
export class ReferenceController {
  private readonly document: PreparedFile;
  private readonly page: PreparedFile;
  /** Of large files, until their clients have read them. */
  private downloads = 0;

  constructor(
    @Inject(CONFIG) { ACCOUNT_PAGES, PUBLIC_URL }: ReferenceConfig,
    private readonly files: ReferenceFiles,
    private readonly answers: PreparedAnswers,
    private readonly tokens: TokenBucket,
  ) {
    const written = JSON.parse(readFileSync(documentFile, 'utf8')) as { readonly servers: unknown };
    const servers = PUBLIC_URL === undefined ? written.servers : [{ url: PUBLIC_URL }];
    const json = JSON.stringify({ ...written, servers });
    this.document = new PreparedFile('application/json; charset=utf-8', Buffer.from(json));
    const hasAccountPages = ACCOUNT_PAGES === 'on';
    const addressOf = (name: string): string => files.addressOf(name);
    const html = referencePage({ addressOf, hasAccountPages });
    this.page = new PreparedFile('text/html; charset=utf-8', Buffer.from(html));
  }

  @Get('openapi.json')
  @Prepared()
  sendDocument(@Res() reply: FastifyReply): Promise<void> {
    return this.answers.send(reply, this.document, documentCacheControl);
  }

  @Get('docs')
  @Prepared()
  show(@Res() reply: FastifyReply): Promise<void> {
    void reply.headers(pageHeaders);
    return this.answers.send(reply, this.page, pageCacheControl);
  }

  @Get('docs/:file')
  @Prepared()
  sendFile(@Param('file') address: string, @Res() reply: FastifyReply): Promise<void> {
    const found = this.files.find(address);
    if (!found) throw new ServiceError('not_found', 'No such path.');
    if (found.file.isLarge) this.beginDownload(reply.request);
    return this.answers.send(reply, found.file, found.cacheControl);
  }

  /** Neither a flood nor clients that read slowly may fill the line or the memory. Throws `busy`. */
  private beginDownload({ ip, call }: FastifyRequest): void {
    const waitMs = this.tokens.take(ip, limits.strangerCosts);
    if (waitMs !== 0 || this.downloads >= limits.downloads) {
      if (waitMs !== null) this.tokens.giveBack(ip, limits.strangerCosts);
      throw busy;
    }
    this.downloads += 1;
    call.exchange.onEnd(() => (this.downloads -= 1));
  }
}

/** The OpenAPI document of the public API and a page to read it, at the root of the public port. */
@Module({
  imports: [RateLimitModule, SiteModule],
  controllers: [ReferenceController],
  providers: [PreparedAnswers, ReferenceFiles],
})
export class ReferenceModule {}
