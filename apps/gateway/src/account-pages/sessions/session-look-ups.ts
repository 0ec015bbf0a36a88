import { findSessions, getSession, ServiceError, type SessionView } from '@app/contracts';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { GatheredLookUps } from '../../authentication/gathered-look-ups.js';
import { TokenBucket } from '../../rate-limit/token-bucket.js';
import { siteOf } from '../../requests/networks.js';
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
    private readonly services: ServiceClient,
    private readonly known: KnownSessions,
    private readonly allowance: TokenBucket,
  ) {}

  /** `null` when there is no such session. */
  async find(hash: string, address: string, context: RequestContext): Promise<SessionView | null> {
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
