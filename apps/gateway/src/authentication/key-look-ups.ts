import { authenticateKeys, type AuthenticatedKey } from '#contracts';
import { counter } from '#platform';
import { type RequestContext, ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { siteOf } from '../requests/networks.js';
import { GatheredLookUps } from './gathered-look-ups.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';

export interface KeyLookUp {
  readonly keyHash: string;
  /** Of the client that sent the key. */
  readonly address: string;
  /** Whether it was a good one when it was last looked at here. */
  readonly wasGood: boolean;
}

const gathered = counter(
  'key_lookups_gathered_total',
  'Keys whose look-up was delayed, because their network had sent many unknown ones.',
);

/**
 * Looks keys up at billing. The keys of a network that has sent many unknown ones are collected for 50 ms and looked up
 * in one message, so that they can't overload billing. Every key still gets the right answer; valid keys seen before
 * don't wait.
 */
@Injectable()
export class KeyLookUps {
  private readonly gathering = new GatheredLookUps<AuthenticatedKey>((hashes, context) =>
    this.ask(hashes, context),
  );

  constructor(
    private readonly services: ServiceClient,
    private readonly allowance: TokenBucket,
  ) {}

  /** `null` for a key that is not known or not active; throws what asking throws. */
  async find(
    { keyHash, address, wasGood }: KeyLookUp,
    context: RequestContext,
  ): Promise<AuthenticatedKey | null> {
    if (wasGood) return (await this.ask([keyHash], context))[0] ?? null;
    if (!this.allowance.take(address)) {
      gathered.inc();
      return this.gathering.find(keyHash, siteOf(address), context);
    }
    const [key = null] = await this.ask([keyHash], context);
    if (key !== null) this.allowance.giveBack(address);
    return key;
  }

  private async ask(
    keyHashes: readonly string[],
    context: RequestContext,
  ): Promise<readonly (AuthenticatedKey | null)[]> {
    const reply = await this.services.request(authenticateKeys, { key_hashes: keyHashes }, context);
    return reply.keys;
  }
}
