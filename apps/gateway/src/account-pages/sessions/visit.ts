import { type AccountSession, type SessionView } from '@app/contracts';
import { type RequestContext } from '@app/transport';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { messageContext } from '../../http/calls/message-context.js';
import { requestDeadline } from '../../http/requests/request-deadline.js';
import { formTokenOf } from './tokens.js';

/** A request to a page, by somebody who may not be signed in. */
export class Visitor {
  /** `token`: the secret of the visitor's cookie. */
  constructor(
    protected readonly request: FastifyRequest,
    readonly token: string,
  ) {}

  /** For the forms of the page. */
  get formToken(): string {
    return formTokenOf(this.token);
  }

  /** The context of a message to another service; its deadline is that of the request. */
  context(): RequestContext {
    const deadlineMs = Math.max(1, requestDeadline(this.request) - performance.now());
    return { ...this.contextOfLongWork(), deadlineMs };
  }

  /** The same for what may take longer than a request usually may: the message's own deadline holds. */
  contextOfLongWork(): RequestContext {
    return messageContext(this.request);
  }
}

/** A request to a page by a person who is signed in, and may be no member of any account. */
export class PersonVisit extends Visitor {
  constructor(
    request: FastifyRequest,
    token: string,
    readonly session: SessionView,
  ) {
    super(request, token);
  }
}

/** A request to a page by a member who is signed in. */
export class Visit extends PersonVisit {
  constructor(
    request: FastifyRequest,
    token: string,
    override readonly session: AccountSession,
  ) {
    super(request, token, session);
  }

  get accountId(): string {
    return this.session.account.id;
  }

  get isOwner(): boolean {
    return this.session.role === 'owner';
  }
}

const visitors = new WeakMap<FastifyRequest, Visitor>();

export function rememberVisitor(request: FastifyRequest, visitor: Visitor): void {
  visitors.set(request, visitor);
}

/** Who asks, as far as a guard has found out. */
export function visitorOf(request: FastifyRequest): Visitor | undefined {
  return visitors.get(request);
}

/** The member who asks, of a handler behind `SessionGuard`. */
export const CurrentVisit = createParamDecorator((_data: unknown, context: ExecutionContext): Visit => {
  const visitor = visitorOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (visitor instanceof Visit) return visitor;
  throw new Error('a handler that needs a visit must be guarded by SessionGuard');
});

/** The person who asks, of a handler behind `SessionGuard` that works without an account (`WithoutAccount`). */
export const CurrentPerson = createParamDecorator(
  (_data: unknown, context: ExecutionContext): PersonVisit => {
    const visitor = visitorOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (visitor instanceof PersonVisit) return visitor;
    throw new Error('a handler that needs a person must be guarded by SessionGuard');
  },
);

/** Whoever asks, of a handler behind `VisitorGuard`. */
export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext): Visitor => {
  const visitor = visitorOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (visitor) return visitor;
  throw new Error('a handler that needs a visitor must be guarded by VisitorGuard');
});
