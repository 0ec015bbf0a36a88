import { getSession, ServiceError, type SessionView } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { TokenBucket } from '../../authentication/token-bucket.js';
import { busy } from '../../errors/refused.error.js';
import { networkOf } from '../../network/network-of.js';
import { pagesPrefix } from '../paths/page-paths.js';
import { Cookies } from './cookies.js';
import { FormCheck } from './form-check.js';
import { SignedOutError } from './signed-out.error.js';
import { isToken } from './tokens.js';
import { rememberVisitor, Visit, Visitor } from './visit.js';

/** Admits members who are signed in, and forms that this session was given. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly cookies: Cookies,
    private readonly forms: FormCheck,
    private readonly services: ServiceClient,
    private readonly lookUps: TokenBucket,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.forms.assertOrigin(request);
    const token = this.cookies.read(request, 'session') ?? '';
    const session = isToken(token) ? await this.find(request, token) : null;
    if (!session) throw new SignedOutError(wantedPath(request));
    const visit = new Visit(request, token, session);
    rememberVisitor(request, visit);
    this.forms.assertToken(request, token);
    return true;
  }

  /** `null` when there is no such session. A network that tries many that do not exist is made to wait. */
  private async find(request: FastifyRequest, token: string): Promise<SessionView | null> {
    const network = networkOf(request.ip);
    if (!this.lookUps.take(network)) throw busy;
    const context = new Visitor(request, token).context();
    try {
      const session = await this.services.request(getSession, { session_hash: sha256(token) }, context);
      this.lookUps.giveBack(network);
      return session;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthorized') return null;
      this.lookUps.giveBack(network);
      throw error;
    }
  }
}

/** Where to return to: a form can not be sent again, so its page. */
function wantedPath({ method, url }: FastifyRequest): string {
  return method === 'GET' ? url : (url.split('?', 1)[0] ?? pagesPrefix);
}
