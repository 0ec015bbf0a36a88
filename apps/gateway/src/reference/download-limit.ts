import { Injectable } from '@nestjs/common';
import { TokenBucket } from '../rate-limit/token-bucket.js';
import { type Exchange } from '../edge/connections/exchange.js';
import { busy } from '../errors/gateway-errors.js';

/** Each stays in the kernel's memory until its client has read it. */
const underWayMax = 100;

/**
 * Bounds the downloads of large files, which need no key: for each network as `TokenBucket` says, so that a flood costs no
 * more than its refusal, and all that are under way at once, so that clients that read slowly can't fill the memory.
 */
@Injectable()
export class DownloadLimit {
  private underWay = 0;

  constructor(private readonly allowance: TokenBucket) {}

  /** Counts a download until its exchange ends. Throws `busy` at a limit. */
  begin(address: string, exchange: Exchange): void {
    if (this.underWay >= underWayMax || !this.allowance.take(address)) throw busy;
    this.underWay += 1;
    exchange.onEnd(() => (this.underWay -= 1));
  }
}
