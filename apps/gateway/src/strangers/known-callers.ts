import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { KnownSessions } from '../account-pages/sessions/known-sessions.js';
import { hasKnownKey } from '../admission/admission-key.js';
import { KeyCache } from '../authentication/key-cache.js';

/** Who was known when they were last looked at here. */
@Injectable()
export class KnownCallers {
  constructor(
    private readonly keys: KeyCache,
    private readonly sessions: KnownSessions,
  ) {}

  /** Whether a request carries the key or the session of one of them. */
  sent(request: FastifyRequest): boolean {
    return hasKnownKey(request, this.keys) || this.sessions.isOf(request);
  }
}
