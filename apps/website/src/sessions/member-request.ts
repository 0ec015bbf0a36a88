import { networkOf } from '#http';
import { type AccountSession, ServiceError, type SessionView } from '#contracts';
import { sha256 } from '#platform';
import { type RequestContext } from '#transport';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { FormFields, formTokenOf, readId } from '../view/form-fields.js';

const userAgentLengthMax = 300;

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of the request, once a guard of the pages has identified it. */
    guest: GuestRequest | undefined;
  }
}

/** A request to a page by anyone, signed in or not, with the reply to it. */
export class GuestRequest {
  private readFields: FormFields | undefined;

  /** `token`: the secret in the guest's cookie. */
  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly token: string,
  ) {}

  /** Fields of the form that was sent, or of the address. Throws `unsupported_media_type` for a body of another type. */
  get fields(): FormFields {
    return (this.readFields ??= FormFields.of(this.request));
  }

  /** An id in the path. Throws `not_found` for anything else. */
  id(name: string): string {
    return readId(this.parameter(name));
  }

  /** A part of the path, by its name in the route. */
  parameter(name: string): string {
    return (this.request.params as Readonly<Record<string, string>>)[name] ?? '';
  }

  /** For the forms of the page. */
  get formToken(): string {
    return formTokenOf(this.token);
  }

  /** Network and browser of a sign-in, for the list of sessions. */
  get sender(): { readonly network: string; readonly user_agent: string } {
    const { ip, headers } = this.request;
    const agent = (headers['user-agent'] ?? '').replace(/\p{Cc}/gu, ' ').trim();
    return { network: networkOf(ip), user_agent: agent.slice(0, userAgentLengthMax) || 'not known' };
  }

  /** The context of a message to another service, with the deadline of the request. */
  context(): RequestContext {
    return this.request.messageContext;
  }

  /** Context of work that may take longer than the request: the deadline of the message applies. */
  contextOfLongWork(): RequestContext {
    const { requestId, traceparent } = this.request.messageContext;
    return { requestId, ...(traceparent === undefined ? {} : { traceparent }) };
  }
}

/** A request to a page by a person who is signed in, with or without an account. */
export class PersonRequest<Session extends SessionView = SessionView> extends GuestRequest {
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    readonly session: Session,
  ) {
    super(request, reply, token);
  }

  get sessionHash(): string {
    return sha256(this.token);
  }
}

/** A request to a page of an account by one of its members. */
export class MemberRequest extends PersonRequest<AccountSession> {
  get accountId(): string {
    return this.session.account.id;
  }

  /** Also names the person and the account, for a form that is sent after its session has ended. */
  override get formToken(): string {
    return `${super.formToken}.${this.formOwner}`;
  }

  get formOwner(): string {
    return `${this.session.person_id}_${this.accountId}`;
  }

  get isOwner(): boolean {
    return this.session.role === 'owner';
  }

  /** Throws `forbidden` for a member who is not an owner. */
  assertOwner(): void {
    if (this.isOwner) return;
    throw new ServiceError('forbidden', 'Only owners of this account can do that. Nothing was changed.');
  }
}

/** Injects the sender of a request; throws when no guard has identified it as one of `type`. */
function sender<Sender extends GuestRequest>(
  type: new (...parts: never[]) => Sender,
): () => ParameterDecorator {
  return createParamDecorator((_data: unknown, context: ExecutionContext): Sender => {
    const { guest } = context.switchToHttp().getRequest<FastifyRequest>();
    if (guest instanceof type) return guest;
    throw new Error(`no guard has identified the sender as a ${type.name}`);
  });
}

/** The member who asks, behind `SessionGuard`. */
export const CurrentMember = sender(MemberRequest);

/** The person who asks, behind `SessionGuard` with `WithoutAccount`. */
export const CurrentPerson = sender(PersonRequest);

/** The sender of the request. Without `GuestGuard` they cannot send forms with a token. */
export const CurrentGuest = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return request.guest ?? new GuestRequest(request, reply, '');
});
