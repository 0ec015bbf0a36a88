import { type PublicOperation } from '#contracts';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Authenticator } from '../authentication/authenticator.service.js';
import { refuseCall } from '../errors/refuse-call.js';
import { DeclaredOperation, PaidInterceptor } from '../charging/paid.interceptor.js';
import { CallLimits } from '../rate-limit/call-limits.js';
import { readJson } from '../requests/read-request.js';
import { refuseParameters } from '../validation/shape.pipe.js';

/**
 * A handler that answers a declared operation for clients with a key: at its path, within its limit, with only the parameters
 * that it declares. The handler of a paid one returns what it `Found`, which is then charged, sent and settled.
 */
export function Endpoint(operation: PublicOperation): MethodDecorator {
  const { method, path, paid } = operation;
  const route = path.replace(/\{(\w+)\}/g, ':$1');
  return applyDecorators(
    ...(method === 'get'
      ? [Get(route), RouteConfig({ servesHead: paid === undefined })]
      : [Post(route), HttpCode(200)]),
    DeclaredOperation(operation),
    UseGuards(EndpointGuard),
    ...(paid ? [UseInterceptors(PaidInterceptor)] : []),
  );
}

/**
 * Admits a call with a valid key and within its limit, in which a malformed call counts too. Refuses parameters of an operation that
 * declares none, and parses the body of one that declares a body.
 */
@Injectable()
class EndpointGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: CallLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { paid, limit, query, body } = this.reflector.get(DeclaredOperation, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (paid) await this.authenticator.authenticateForCharge(request);
    else await this.authenticator.authenticate(request);
    try {
      if (limit) await this.limits.admit(limit, http.getResponse<FastifyReply>());
      if (!query) refuseParameters(request);
      if (body) request.body = readJson(request);
      return true;
    } catch (reason) {
      return refuseCall(reason, request);
    }
  }
}
