import { getSession, ServiceError, type SessionView } from '#contracts';
import { sha256 } from '#platform';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Cookies, isToken } from './cookies.js';
import { KnownSessions } from './known-sessions.js';

/** Looks sessions up at billing, for each page anew: one that has ended is found out at once. */
@Injectable()
export class SessionLookUps {
  constructor(
    private readonly cookies: Cookies,
    private readonly services: ServiceClient,
    private readonly known: KnownSessions,
  ) {}

  /** The session of the browser that sent a request; `null` without one. */
  async of(request: FastifyRequest): Promise<SessionView | null> {
    const token = this.cookies.read(request, 'session') ?? '';
    return isToken(token) ? this.ask(sha256(token), request.messageContext) : null;
  }

  private async ask(hash: string, context: RequestContext): Promise<SessionView | null> {
    try {
      const session = await this.services.request(getSession, { session_hash: hash }, context);
      this.known.add(hash);
      return session;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'unauthorized') throw error;
      this.known.delete(hash);
      return null;
    }
  }
}
