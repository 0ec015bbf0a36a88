import { Readable } from 'node:stream';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { CsvFile, type FormResult, SeeOther } from '../view/page.js';
import { PageRenderer } from './page-renderer.js';

/** Sends the page or file that a handler returned, or redirects. */
@Injectable()
export class PageInterceptor implements NestInterceptor<FormResult | CsvFile, string | Readable> {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<FormResult | CsvFile>,
  ): Observable<string | Readable> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        if (result instanceof CsvFile) return download(result, reply);
        if (!(result instanceof SeeOther)) return this.renderer.render(result, request, reply);
        void reply.code(result.status).header('location', result.location);
        return '';
      }),
    );
  }
}

/** The browser saves it under its name. */
function download({ name, pieces }: CsvFile, reply: FastifyReply): Readable {
  void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`);
  return Readable.from(pieces);
}
