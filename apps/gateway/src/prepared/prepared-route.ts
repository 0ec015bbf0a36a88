import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly isPrepared?: boolean;
  }
}

/**
 * Marks a handler that sends a `PreparedFile`: such a request needs no slot, because its answer costs no more than a
 * refusal, and is never compressed again.
 */
export function Prepared(): MethodDecorator {
  return RouteConfig({ isPrepared: true });
}

export function isPrepared(request: FastifyRequest): boolean {
  return request.routeOptions.config.isPrepared === true;
}
