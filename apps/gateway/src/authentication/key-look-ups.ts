import { authenticateKeys, type AuthenticatedKey } from '@app/contracts';
import { counter } from '@app/platform';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { networkOf } from '../network/network-of.js';
import { TokenBucket } from './token-bucket.js';

export interface KeyLookUp {
  readonly keyHash: string;
  /** The network of the client that sent the key. */
  readonly address: string;
  /** Whether it was a good one when it was last looked at here. */
  readonly wasGood: boolean;
}

interface Waiting {
  readonly keyHash: string;
  readonly resolve: (key: AuthenticatedKey | null) => void;
  readonly reject: (error: unknown) => void;
}

const gathered = counter(
  'key_lookups_gathered_total',
  'Keys whose look-up was delayed, because their network had sent many unknown ones.',
);

const gatherMs = 50;

/**
 * Looks keys up at billing. The keys of a network that has sent many unknown ones are collected for 50 ms and looked up
 * in one message, so that they can't overload billing. Every key still gets the right answer; valid keys seen before
 * don't wait.
 */
@Injectable()
export class KeyLookUps {
  private readonly gathering = new Map<string, Waiting[]>();

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
    const network = networkOf(address);
    if (!this.allowance.take(network)) return this.gather(keyHash, network, context);
    const [key = null] = await this.ask([keyHash], context);
    if (key !== null) this.allowance.giveBack(network);
    return key;
  }

  /** With the deadline of the first one, which has waited longest. */
  private gather(
    keyHash: string,
    network: string,
    context: RequestContext,
  ): Promise<AuthenticatedKey | null> {
    gathered.inc();
    return new Promise((resolve, reject) => {
      const waiting = { keyHash, resolve, reject };
      const others = this.gathering.get(network);
      if (others) {
        others.push(waiting);
        return;
      }
      const all = [waiting];
      this.gathering.set(network, all);
      setTimeout(() => {
        this.gathering.delete(network);
        void this.askTogether(all, context);
      }, gatherMs);
    });
  }

  private async askTogether(all: readonly Waiting[], context: RequestContext): Promise<void> {
    try {
      const keys = await this.ask(
        all.map(({ keyHash }) => keyHash),
        context,
      );
      all.forEach(({ resolve }, index) => resolve(keys[index] ?? null));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  private async ask(
    keyHashes: readonly string[],
    context: RequestContext,
  ): Promise<readonly (AuthenticatedKey | null)[]> {
    const reply = await this.services.request(authenticateKeys, { key_hashes: keyHashes }, context);
    return reply.keys;
  }
}
