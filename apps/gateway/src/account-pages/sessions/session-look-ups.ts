import { findSessions, getSession, ServiceError, type SessionView } from '#contracts';
import { sha256 } from '#platform';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { GatheredLookUps } from '../../authentication/gathered-look-ups.js';
import { TokenBucket } from '../../rate-limit/token-bucket.js';
import { siteOf } from '../../requests/networks.js';
import { Cookies, isToken } from './cookies.js';
import { KnownSessions } from './known-sessions.js';

/**
 * Looks sessions up at billing. The sessions of a network that has tried many that do not exist are first collected for
 * 50 ms, and billing is asked together which of them exist, so that they can't overload it. Every member still gets in;
 * sessions that were good before don't wait.
 */
@Injectable()
export class SessionLookUps {
  private readonly gathering = new GatheredLookUps<true>(async (hashes, context) => {
    const { found } = await this.services.request(findSessions, { session_hashes: hashes }, context);
    return found.map((isFound) => (isFound ? true : null));
  });

  constructor(
    private readonly cookies: Cookies,
    private readonly services: ServiceClient,
    private readonly known: KnownSessions,
    private readonly allowance: TokenBucket,
  ) {}

  /** The session of the browser that sent a request; `null` without one. */
  async of(request: FastifyRequest): Promise<SessionView | null> {
    const token = this.cookies.read(request, 'session') ?? '';
    return isToken(token) ? this.find(sha256(token), request.ip, request.call) : null;
  }

  private async find(hash: string, address: string, context: RequestContext): Promise<SessionView | null> {
    if (this.known.has(hash)) return this.ask(hash, context);
    if (!this.allowance.take(address)) {
      return (await this.gathering.find(hash, siteOf(address), context)) ? this.ask(hash, context) : null;
    }
    const session = await this.ask(hash, context);
    if (session) this.allowance.giveBack(address);
    return session;
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
