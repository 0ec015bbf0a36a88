import { ServiceError } from '@app/contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

/**
 * Refuses pages in a browser, which alone send an `Origin`, as the protocol asks against DNS rebinding. None is an exception:
 * a page must not hold a key, and without CORS headers it could not read the answer.
 */
@Injectable()
export class OriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { origin } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (origin === undefined) return true;
    throw new ServiceError('forbidden', 'Requests from browsers are not allowed; send no Origin header.');
  }
}
