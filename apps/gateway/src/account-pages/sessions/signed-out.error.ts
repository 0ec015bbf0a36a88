import { ServiceError } from '@app/contracts';

/** A page for members was asked for without a session: the visitor is sent to sign in, and back. */
export class SignedOutError extends ServiceError {
  /** `wantedPath`: path and query of the page. */
  constructor(readonly wantedPath: string) {
    super('unauthorized', 'Sign in to see this page.');
  }
}
