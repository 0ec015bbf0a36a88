import { type SearchParameters, type SearchResult } from '#client';
import { createFundedAccount } from './accounts.js';
import { clientOf } from './client-of.js';

/** Below the limit of 60 a minute, so that a pool never meets the rate limit. */
const searchesPerKey = 55;
const keysPerAccount = 5;

/** Searches with as many keys as it takes: a new one before the rate limit of the last, accounts made as needed. */
export class KeyPool {
  private current = '';
  private usesLeft = 0;
  private readonly unused: string[] = [];
  private refill: Promise<void> = Promise.resolve();

  async search(params: SearchParameters): Promise<SearchResult> {
    return clientOf(await this.key()).search(params);
  }

  /** A key that may search once more. */
  async key(): Promise<string> {
    if (this.usesLeft === 0) {
      // One that failed is tried again by the next caller.
      this.refill = this.refill.catch(() => undefined).then(() => this.next());
      await this.refill;
    }
    this.usesLeft -= 1;
    return this.current;
  }

  private async next(): Promise<void> {
    if (this.usesLeft > 0) return;
    if (this.unused.length === 0) {
      const { keys } = await createFundedAccount({ credits: 100_000, keys: keysPerAccount });
      this.unused.push(...keys.map(({ key }) => key));
    }
    this.current = this.unused.pop() ?? '';
    this.usesLeft = searchesPerKey;
  }
}
