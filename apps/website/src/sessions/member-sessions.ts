import { ServiceError, type SessionView } from '#contracts';
import { newToken, sha256 } from '#platform';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Cookies } from './cookies.js';
import { KnownSessions } from './known-sessions.js';
import { SignInCookie } from './sign-in-cookie.js';

const maxAgeSeconds = 30 * 24 * 3_600;

/** Creates the session in billing for a person who has proved their identity; `session_hash`: of its token. */
type AskForSession = (session_hash: string) => Promise<SessionView>;

/** Begins and ends sessions in the browser. */
@Injectable()
export class MemberSessions {
  constructor(
    private readonly cookies: Cookies,
    private readonly signIn: SignInCookie,
    private readonly known: KnownSessions,
  ) {}

  /** Always with a new token, so that one planted in the browser never becomes a session. */
  async begin(reply: FastifyReply, ask: AskForSession): Promise<void> {
    const token = newToken();
    const hash = sha256(token);
    await ask(hash);
    this.known.add(hash);
    this.cookies.set(reply, 'session', token, maxAgeSeconds);
    this.signIn.clear(reply);
  }

  /** The same; `false` when billing refuses the proof. */
  async tryBegin(reply: FastifyReply, ask: AskForSession): Promise<boolean> {
    try {
      await this.begin(reply, ask);
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
