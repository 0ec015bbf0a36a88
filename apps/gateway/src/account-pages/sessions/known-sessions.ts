import { sha256 } from '#platform';
import { Injectable, Module } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { RecentMap } from '../../requests/recent-map.js';
import { Cookies, isToken } from './cookies.js';

const sessionsMax = 10_000;

/**
 * The sessions that were good ones when they were last looked at here. They are looked at again for each page, so one that
 * has ended is found out at once; but no limit on sessions that do not exist holds for them.
 */
@Injectable()
export class KnownSessions {
  private readonly hashes = new RecentMap<true>(sessionsMax);

  constructor(private readonly cookies: Cookies) {}

  /** Whether a request comes from a browser with such a session. */
  isOf(request: FastifyRequest): boolean {
    const token = this.cookies.read(request, 'session') ?? '';
    return isToken(token) && this.hashes.get(sha256(token)) !== undefined;
  }

  add(hash: string): void {
    this.hashes.set(hash, true);
  }

  delete(hash: string): void {
    this.hashes.delete(hash);
  }
}

/** The known sessions, for the pages and for the checks before them. */
@Module({ providers: [Cookies, KnownSessions], exports: [Cookies, KnownSessions] })
export class KnownSessionsModule {}
