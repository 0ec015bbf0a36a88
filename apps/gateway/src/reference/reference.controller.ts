import { readFileSync } from 'node:fs';
import { ServiceError } from '#contracts';
import { CONFIG, projectRoot } from '#platform';
import { Controller, Get, Inject, Module, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Prepared, PreparedFile, sendPrepared } from '../answers/prepared.js';
import { DocumentationPages, pageHeaders, type PageSettings } from './pages.js';

/** Written from the declarations by `npm run docs`. */
const documentFile = new URL('docs/openapi.json', projectRoot);

/** The document changes with the version of the gateway: programs that read it need not ask more often. */
const documentCacheControl = 'public, max-age=300';

/** Files of the documentation by their addresses at the root. */
const first: Readonly<Record<string, string>> = {
  '/docs': 'index',
  '/docs.md': 'index.md',
  '/llms.txt': 'llms.txt',
};

/** At the root, without a key: the OpenAPI document of the public API, and the documentation. */
@Controller()
export class ReferenceController {
  private readonly document: PreparedFile;
  private readonly pages: DocumentationPages;

  constructor(@Inject(CONFIG) settings: PageSettings) {
    const { PUBLIC_URL } = settings;
    const written = JSON.parse(readFileSync(documentFile, 'utf8')) as { readonly servers: unknown };
    const servers = PUBLIC_URL === undefined ? written.servers : [{ url: PUBLIC_URL }];
    const json = JSON.stringify({ ...written, servers });
    this.document = new PreparedFile('application/json; charset=utf-8', Buffer.from(json));
    this.pages = new DocumentationPages(settings);
  }

  @Get('openapi.json')
  @Prepared()
  sendDocument(@Res() reply: FastifyReply): void {
    sendPrepared(reply, this.document, documentCacheControl);
  }

  /** The first page, also as Markdown, and the list of pages for models. */
  @Get(Object.keys(first))
  @Prepared()
  showFirst(@Req() { routeOptions }: FastifyRequest, @Res() reply: FastifyReply): void {
    this.show(first[routeOptions.url ?? ''] ?? '', reply);
  }

  /** A page, its Markdown, or a file that pages load; the page that says so for everything else. */
  @Get('docs/:name')
  @Prepared()
  show(@Param('name') name: string, @Res() reply: FastifyReply): void {
    void reply.headers(pageHeaders);
    const found = this.pages.find(name);
    if (found) return sendPrepared(reply, found.file, found.cacheControl);
    const { notFound } = this.pages;
    if (!notFound) throw new ServiceError('not_found', 'No such path.');
    sendPrepared(reply.code(404), notFound, 'no-store');
  }
}

/** The OpenAPI document of the public API and its documentation, at the root of the public port. */
@Module({ controllers: [ReferenceController] })
export class ReferenceModule {}
