import { type AccountSession, ServiceError, type SessionView, type WithheldAccount } from '@app/contracts';
import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

const key = 'works without an account';
const reflector = new Reflector();

/** A handler, or all of a controller, for people who are signed in but have no account, too: they get a `PersonVisit`. */
export function WithoutAccount(): ClassDecorator & MethodDecorator {
  return SetMetadata(key, true);
}

export function worksWithoutAccount(context: ExecutionContext): boolean {
  return (
    reflector.getAllAndOverride<boolean | undefined>(key, [context.getHandler(), context.getClass()]) ?? false
  );
}

export function showsAccount(session: SessionView): session is AccountSession {
  return session.account !== null && session.role !== null;
}

/** A page of an account was asked for by a person who has none: they are sent to their invitations. */
export class NoAccountError extends ServiceError {
  constructor() {
    super('forbidden', 'You are not a member of any account.');
  }
}

/** A page of an account was asked for that this session may not show: the visitor is told how to sign in for it. */
export class WithheldAccountError extends ServiceError {
  /** `wantedPath`: where to return to. */
  constructor(
    readonly account: WithheldAccount,
    readonly session: SessionView,
    readonly wantedPath: string,
  ) {
    super('forbidden', `${account.name} asks for another sign-in.`);
  }
}
