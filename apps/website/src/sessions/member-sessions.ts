import { type ErrorCode, getSession, ServiceError, type SessionView } from '#contracts';
import { newToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Cookies, isToken } from './cookies.js';
import { SignInCookie } from './sign-in-cookie.js';

const maxAgeSeconds = 30 * 24 * 3_600;
const knownMax = 10_000;

/** Creates the session in billing for a person who has proved their identity; `session_hash`: of its token. */
type AskForSession = (session_hash: string) => Promise<SessionView>;

/** Finds, begins and ends the sessions of browsers. */
@Injectable()
export class MemberSessions {
  /** Hashes of the sessions that existed when billing was last asked about them here, oldest first. */
  private readonly known = new Set<string>();

  constructor(
    private readonly cookies: Cookies,
    private readonly services: ServiceClient,
    private readonly signIn: SignInCookie,
  ) {}

  /** Asks billing at each page, so that a session that has ended is noticed at once; `null` without one. */
  async find(request: FastifyRequest): Promise<SessionView | null> {
    const session_hash = this.hashOf(request);
    if (session_hash === undefined) return null;
    const asked = this.services.request(getSession, { session_hash }, request.messageContext);
    const session = await nullIf('unauthorized', asked);
    if (session) this.remember(session_hash);
    else this.known.delete(session_hash);
    return session;
  }

  /** Whether the browser has a session that existed lately: the limit on made-up ones does not apply to it. */
  isKnown(request: FastifyRequest): boolean {
    return this.known.has(this.hashOf(request) ?? '');
  }

  /** Always with a new token, so that one planted in the browser never becomes a session. */
  async begin(reply: FastifyReply, ask: AskForSession): Promise<SessionView> {
    const token = newToken();
    const session = await ask(sha256(token));
    this.remember(sha256(token));
    this.cookies.set(reply, 'session', token, maxAgeSeconds);
    this.signIn.clear(reply);
    return session;
  }

  end(reply: FastifyReply): void {
    this.cookies.clear(reply, 'session');
  }

  private hashOf(request: FastifyRequest): string | undefined {
    const token = this.cookies.read(request, 'session') ?? '';
    return isToken(token) ? sha256(token) : undefined;
  }

  private remember(hash: string): void {
    this.known.add(hash);
    const [oldest] = this.known.size > knownMax ? this.known : [];
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

/** The reply of a service; `null` if it refuses with this code. */
export async function nullIf<Reply>(code: ErrorCode, asked: Promise<Reply>): Promise<Reply | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError && error.code === code) return null;
    throw error;
  }
}
