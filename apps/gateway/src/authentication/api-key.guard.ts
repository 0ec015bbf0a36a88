import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { CallAuthenticator } from './call-authenticator.js';

/** Admits requests with a valid key, before anything else is validated (design 2). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly calls: CallAuthenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.calls.authenticate(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}
