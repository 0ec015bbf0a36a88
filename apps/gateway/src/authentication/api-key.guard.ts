import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Authenticator } from './authenticator.service.js';

/** Admits requests with a valid key, before anything else is validated. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.authenticator.authenticate(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}
