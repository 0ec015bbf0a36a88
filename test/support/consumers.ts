import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type TestAccount } from './accounts.js';
import { api, type CreditFields } from './public-api.js';

/** What a client noted of one call. Times are those of `performance.now()`, in ms. */
export interface Receipt {
  readonly requestId: string;
  readonly expected: number;
  /** 0: the connection broke before there was an answer. */
  readonly status: number;
  readonly creditsUsed: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Whether a call was not answered as it should have been. */
export function hasFailed({ status, expected }: Receipt): boolean {
  return status !== expected;
}

interface PlannedCall {
  readonly path: string;
  readonly key: string;
  readonly expected: number;
}

const betweenCallsMs = 15;
/** Five keys with 60 searches a minute each. */
const betweenSearchesMs = 220;
const unknownKey = 'csk_0000000000000000000000000000000000000000000000';

/** A client that calls again and again, one call at a time, and keeps a receipt of each. */
export class Consumer {
  readonly receipts: Receipt[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private searchedAt = 0;
  private count = 0;
  private searches = 0;

  constructor(
    private readonly account: TestAccount,
    private readonly slug: string,
    /** Whether the account has no credits: every call that costs something is refused. */
    private readonly isPoor: boolean,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.receipts.push(await this.call(this.plan()));
      await wait(betweenCallsMs);
    }
  }

  /** Mostly profiles, which no rate limit bounds; searches as often as the limit allows; and calls that must cost nothing. */
  private plan(): PlannedCall {
    const number = this.count++;
    const key = this.key(number);
    const paid = this.isPoor ? 402 : 200;
    if (number % 20 === 7) return { path: '/api/public/v1/creators/nobody', key, expected: 404 };
    if (number % 20 === 13) {
      return { path: `/api/public/v1/creators/${this.slug}`, key: unknownKey, expected: 401 };
    }
    if (performance.now() - this.searchedAt > betweenSearchesMs) {
      this.searchedAt = performance.now();
      return this.planSearch(this.searches++, paid);
    }
    return { path: `/api/public/v1/creators/${this.slug}`, key, expected: paid };
  }

  private planSearch(number: number, paid: number): PlannedCall {
    const key = this.key(number);
    // Without credits only the first of an hour are free.
    if (number % 4 === 0 && !this.isPoor) {
      return { path: '/api/public/v1/search?country=nowhere', key, expected: 200 };
    }
    if (number % 4 === 1) return { path: '/api/public/v1/search?limit=0', key, expected: 400 };
    return { path: '/api/public/v1/search?q=someone&platform=youtube', key, expected: paid };
  }

  private key(number: number): string {
    return this.account.keys[number % this.account.keys.length]?.key ?? '';
  }

  private async call({ path, key, expected }: PlannedCall): Promise<Receipt> {
    const requestId = randomUUID();
    const startedAt = performance.now();
    const noted = { requestId, expected, startedAt };
    try {
      const reply = await api.get<CreditFields>(path, key, { headers: { 'x-request-id': requestId } });
      const creditsUsed = reply.status === 200 ? reply.body.credits_used : 0;
      return { ...noted, status: reply.status, creditsUsed, endedAt: performance.now() };
    } catch {
      return { ...noted, status: 0, creditsUsed: 0, endedAt: performance.now() };
    }
  }
}
