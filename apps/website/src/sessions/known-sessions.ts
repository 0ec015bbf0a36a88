import { sha256 } from '#platform';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { Cookies, isToken } from './cookies.js';

const sessionsMax = 10_000;

/**
 * The sessions that were good ones when they were last looked at here. They are looked at again for each page, so one that
 * has ended is found out at once; but no limit on sessions that do not exist holds for them.
 */
@Injectable()
export class KnownSessions {
  /** The one added longest ago first. */
  private readonly hashes = new Set<string>();

  constructor(private readonly cookies: Cookies) {}

  /** Whether a request comes from a browser with such a session. */
  isOf(request: FastifyRequest): boolean {
    const token = this.cookies.read(request, 'session') ?? '';
    return isToken(token) && this.hashes.has(sha256(token));
  }

  add(hash: string): void {
    this.hashes.add(hash);
    const [oldest] = this.hashes.size > sessionsMax ? this.hashes : [];
    if (oldest !== undefined) this.hashes.delete(oldest);
  }

  delete(hash: string): void {
    this.hashes.delete(hash);
  }
}
