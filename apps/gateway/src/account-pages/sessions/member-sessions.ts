import { ServiceError, type SessionView, switchAccount } from '#contracts';
import { newToken, sha256 } from '#platform';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pagePaths } from '../paths/page-paths.js';
import { Cookies } from './cookies.js';
import { KnownSessions } from './known-sessions.js';
import { SignInCookie } from './sign-in-cookie.js';

const maxAgeSeconds = 30 * 24 * 3_600;
const wantedMaxAgeSeconds = 600;

interface BegunSession {
  /** Creates the session in billing for a person who has proved their identity; `session_hash`: of its token. */
  readonly ask: (session_hash: string) => Promise<SessionView>;
  /** Where the person goes next; the overview shows the account that they tried to switch to. */
  readonly next: string;
  readonly context: RequestContext;
}

/** Begins and ends sessions in the browser. */
@Injectable()
export class MemberSessions {
  constructor(
    private readonly cookies: Cookies,
    private readonly signIn: SignInCookie,
    private readonly known: KnownSessions,
    private readonly services: ServiceClient,
  ) {}

  /** Always with a new token, so that one planted in the browser never becomes a session. */
  async begin(reply: FastifyReply, { ask, next, context }: BegunSession): Promise<void> {
    const token = newToken();
    const hash = sha256(token);
    await ask(hash);
    this.known.add(hash);
    this.cookies.set(reply, 'session', token, maxAgeSeconds);
    this.signIn.clear(reply);
    if (next === pagePaths.overview) await this.showWanted(reply, hash, context);
  }

  /** The same; `false` when billing refuses the proof. */
  async tryBegin(reply: FastifyReply, session: BegunSession): Promise<boolean> {
    try {
      await this.begin(reply, session);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthorized') return false;
      throw error;
    }
  }

  end(reply: FastifyReply): void {
    this.cookies.clear(reply, 'session');
  }

  /** Remembers for ten minutes in the browser the account to switch to after signing in again. */
  rememberWanted(reply: FastifyReply, accountId: string): void {
    this.cookies.set(reply, 'wanted-account', accountId, wantedMaxAgeSeconds);
  }

  /** In a session that has just begun, perhaps of another person. */
  private async showWanted(reply: FastifyReply, hash: string, context: RequestContext): Promise<void> {
    const account_id = this.cookies.read(reply.request, 'wanted-account');
    if (account_id === undefined) return;
    this.cookies.clear(reply, 'wanted-account');
    try {
      await this.services.request(switchAccount, { session_hash: hash, account_id }, context);
    } catch (error) {
      // They are signed in anyway, and can switch on the page of their accounts.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}
