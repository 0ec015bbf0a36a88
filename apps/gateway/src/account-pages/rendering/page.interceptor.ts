import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type PageView, SeeOther } from '../view/page.js';
import { pageHeaders } from './page-headers.js';
import { PageRenderer } from './page-renderer.js';

/** Answers with the page that a handler returned, or sends the browser on. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageView | SeeOther, string> {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler<PageView | SeeOther>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        if (!(result instanceof SeeOther)) return this.renderer.render(result, request, reply);
        void reply.code(303).headers(pageHeaders()).header('location', result.location);
        return '';
      }),
    );
  }
}
