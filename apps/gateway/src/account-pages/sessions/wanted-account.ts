import { ServiceError, switchAccount } from '@app/contracts';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Cookies } from './cookies.js';

const maxAgeSeconds = 600;

/** The account that somebody has to sign in for before they can switch to it: kept in their browser for ten minutes. */
@Injectable()
export class WantedAccount {
  constructor(
    private readonly cookies: Cookies,
    private readonly services: ServiceClient,
  ) {}

  remember(reply: FastifyReply, accountId: string): void {
    this.cookies.set(reply, 'wanted-account', accountId, maxAgeSeconds);
  }

  /** In a session that has begun just now, whose person may be somebody else. */
  async show(reply: FastifyReply, sessionHash: string, context: RequestContext): Promise<void> {
    const accountId = this.cookies.read(reply.request, 'wanted-account');
    if (accountId === undefined) return;
    this.cookies.clear(reply, 'wanted-account');
    try {
      await this.services.request(
        switchAccount,
        { session_hash: sessionHash, account_id: accountId },
        context,
      );
    } catch (error) {
      // They are signed in all the same, and the account is among theirs, if it is one of theirs.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}
