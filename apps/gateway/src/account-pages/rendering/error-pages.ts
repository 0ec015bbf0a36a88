import { isRecord, ServiceError } from '#contracts';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { codeOfStatus } from '../../errors/status-by-code.js';
import { isProgramPath } from '../paths/page-paths.js';
import { errorPage, notFoundPage } from './error.page.js';
import { PageRenderer, setHeaders } from './page-renderer.js';

/**
 * Shows a page to browsers where the gateway itself has refused a request, before a handler was found or asked: an unknown
 * path, a wrong method, too much load. Programs, and paths that are only for programs, get JSON.
 */
@Injectable()
export class ErrorPages implements OnModuleInit {
  /** Pages for unknown paths, by status, rendered once: anyone can request them, so they must be cheap. */
  private readonly notFound = new Map<number, string>();

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
    if (reply.statusCode < 400 || isProgramPath(url)) return false;
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    return isJson && !reply.hasHeader('content-encoding') && (headers.accept ?? '').includes('text/html');
  }

  private pageFor(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const { statusCode: status } = reply;
    if (status === 404 || status === 405) return this.notFoundPage(status, reply);
    const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : undefined;
    if (!isRecord(body) || typeof body.error !== 'string') return payload;
    const page = errorPage(new ServiceError(codeOfStatus(status), body.error), status, request.id);
    return this.renderer.render(page, request, reply);
  }

  private notFoundPage(status: number, reply: FastifyReply): string {
    const page = notFoundPage(status);
    setHeaders(page, reply);
    const html = this.notFound.get(status) ?? this.renderer.renderShared(page);
    this.notFound.set(status, html);
    return html;
  }
}
