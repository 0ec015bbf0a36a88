import { isRecord, ServiceError } from '@app/contracts';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { codeOfStatus } from '../../errors/status-by-code.js';
import { isPagePath } from '../paths/page-paths.js';
import { errorPage } from './error.page.js';
import { PageRenderer } from './page-renderer.js';

/**
 * Shows a page to browsers where the gateway itself has refused a request below the paths of the pages, before a handler was
 * found or asked: a path that there is not, a wrong method, too much load.
 */
@Injectable()
export class ErrorPages implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly renderer: PageRenderer,
  ) {}

  onModuleInit(): void {
    this.host.httpAdapter.getInstance().addHook('onSend', (request, reply, payload, done) => {
      done(null, this.isForBrowser(request, reply) ? this.pageFor(request, reply, payload) : payload);
    });
  }

  private isForBrowser({ url, headers }: FastifyRequest, reply: FastifyReply): boolean {
    if (reply.statusCode < 400 || !isPagePath(url)) return false;
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    return isJson && !reply.hasHeader('content-encoding') && (headers.accept ?? '').includes('text/html');
  }

  private pageFor(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const { statusCode: status } = reply;
    const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : undefined;
    if (!isRecord(body) || typeof body.error !== 'string') return payload;
    const page = errorPage(new ServiceError(codeOfStatus(status), body.error), status, request.id);
    return this.renderer.render(page, request, reply);
  }
}
