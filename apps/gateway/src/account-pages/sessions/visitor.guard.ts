import { newToken } from '@app/platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { readsOnly } from '../../http/requests/reads-only.js';
import { FormCheck } from './form-check.js';
import { SignInCookie } from './sign-in-cookie.js';
import { rememberVisitor, Visitor } from './visit.js';

/** Gives whoever is about to sign in a secret of their own, and admits forms that they were given. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    private readonly cookie: SignInCookie,
    private readonly forms: FormCheck,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.forms.assertOrigin(request);
    const known = this.cookie.read(request);
    const token = known?.token ?? newToken();
    if (!known && readsOnly(request)) {
      this.cookie.set(context.switchToHttp().getResponse<FastifyReply>(), { token });
    }
    rememberVisitor(request, new Visitor(request, token));
    this.forms.assertToken(request, token);
    return true;
  }
}
