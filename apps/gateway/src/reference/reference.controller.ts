import { busy } from '#http';
import { readFileSync } from 'node:fs';
import { ServiceError } from '#contracts';
import { CONFIG, projectRoot } from '#platform';
import { Controller, Get, Inject, Param, Res, Module } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { AccountLinks } from '../errors/account-links.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { Prepared, PreparedAnswers } from '../answers/prepared-answers.js';
import { PreparedFile, contentTypes, HashedFiles, readPrepared } from '../answers/prepared-file.js';
import { limits } from '../limits.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';
import { pageHeaders, referencePage } from './reference-page.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';

const ours = new URL('apps/gateway/browser/', projectRoot);
const swaggerUi = new URL('node_modules/swagger-ui-dist/', projectRoot);

/** What `swagger-ui-bundle.js` refers to for its licences. */
const licencesName = 'swagger-ui-bundle.js.LICENSE.txt';

/** Written from the declarations by `npm run docs`. */
const documentFile = new URL('docs/openapi.json', projectRoot);

/** The document changes with the version of the gateway: programs that read it need not ask more often. */
const documentCacheControl = 'public, max-age=300';

/** The page names its files by their content: it is asked for again each time. */
const pageCacheControl = 'no-cache';

interface ReferenceConfig {
  readonly PUBLIC_URL?: string;
}

/** At the root, without a key: the OpenAPI document of the public API, and a page to read and try it. */
@Controller()
export class ReferenceController {
  private readonly document: PreparedFile;
  private readonly page: PreparedFile;
  private readonly files = new HashedFiles({
    'swagger-ui-bundle.js': readPrepared(contentTypes.script, swaggerUi, 'swagger-ui-bundle.js'),
    'swagger-ui.css': readPrepared(contentTypes.style, swaggerUi, 'swagger-ui.css'),
    'favicon-32x32.png': readPrepared('image/png', swaggerUi, 'favicon-32x32.png'),
    'reference.js': readPrepared(contentTypes.script, ours, 'reference.js'),
    'reference.css': readPrepared(contentTypes.style, ours, 'reference.css'),
    [licencesName]: readPrepared(contentTypes.text, swaggerUi, 'NOTICE', 'LICENSE', licencesName),
  });
  /** Of large files, until their clients have read them. */
  private downloads = 0;

  constructor(
    @Inject(CONFIG) { PUBLIC_URL }: ReferenceConfig,
    links: AccountLinks,
    private readonly answers: PreparedAnswers,
    private readonly tokens: TokenBucket,
  ) {
    const written = JSON.parse(readFileSync(documentFile, 'utf8')) as { readonly servers: unknown };
    const servers = PUBLIC_URL === undefined ? written.servers : [{ url: PUBLIC_URL }];
    const json = JSON.stringify({ ...written, servers });
    this.document = new PreparedFile('application/json; charset=utf-8', Buffer.from(json));
    const html = referencePage((name) => this.files.addressOf(name), links.keys);
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
  imports: [AuthenticationModule, RateLimitModule],
  controllers: [ReferenceController],
  providers: [PreparedAnswers],
})
export class ReferenceModule {}
