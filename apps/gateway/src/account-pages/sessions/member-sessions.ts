import { ServiceError, type SessionView } from '@app/contracts';
import { newToken, sha256 } from '@app/platform';
import { type RequestContext } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pagePaths } from '../paths/page-paths.js';
import { Cookies } from './cookies.js';
import { KnownSessions } from './known-sessions.js';
import { SignInCookie } from './sign-in-cookie.js';
import { WantedAccount } from './wanted-account.js';

const maxAgeSeconds = 30 * 24 * 3_600;

/** Asks billing for the session of somebody who has proved who they are; `session_hash`: of its token. */
type BeginSession = (session_hash: string) => Promise<SessionView>;

interface BegunSession {
  readonly ask: BeginSession;
  /** Where the person goes then; the first page shows the account that they have tried to switch to. */
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
    private readonly wanted: WantedAccount,
  ) {}

  /** Always with a new token: one that somebody else has put into the browser never becomes a session. */
  async begin(reply: FastifyReply, { ask, next, context }: BegunSession): Promise<void> {
    const token = newToken();
    const hash = sha256(token);
    await ask(hash);
    this.known.add(hash);
    this.cookies.set(reply, 'session', token, maxAgeSeconds);
    this.signIn.clear(reply);
    if (next === pagePaths.overview) await this.wanted.show(reply, hash, context);
  }

  /** The same; `false` when billing refuses what should have proved it. */
  async beginUnlessRefused(reply: FastifyReply, session: BegunSession): Promise<boolean> {
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
}
