/** Options of Stripe's library for one request. */
export interface RequestLimits {
  readonly timeout: number;
  readonly maxNetworkRetries: number;
}

/** For one request, connected or not. */
const requestMs = 5_000;

/** The work has used up its time. Stripe's library knows such an error by its type. */
class OutOfTime extends Error {
  readonly type = 'StripeConnectionError';
}

/**
 * How long a piece of work may wait for Stripe, over all its requests, from when the budget is made. The library's own time-out
 * counts from the last byte, so an answer that trickles in would outlast it.
 */
export class RequestBudget {
  private readonly endsAt: number;

  constructor(
    totalMs: number,
    private readonly retries: number,
  ) {
    this.endsAt = performance.now() + totalMs;
  }

  /** Throws when the time is used up; what Stripe still answers is dropped. */
  async run<Result>(request: (limits: RequestLimits) => Promise<Result>): Promise<Result> {
    const leftMs = Math.ceil(this.endsAt - performance.now());
    if (leftMs <= 0) throw outOfTime();
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      if (Number.isFinite(leftMs)) timer = setTimeout(() => reject(outOfTime()), leftMs);
    });
    try {
      return await Promise.race([request(this.limits(leftMs)), expired]);
    } finally {
      clearTimeout(timer);
    }
  }

  limits(leftMs = Infinity): RequestLimits {
    return { timeout: Math.min(requestMs, leftMs), maxNetworkRetries: this.retries };
  }
}

/** For background work. */
export const unlimited = new RequestBudget(Infinity, 1);

/** For a buyer who waits for the page of an order: within the deadline of `refreshOrder`. No retries: the page is loaded again. */
export const viewBudget = (): RequestBudget => new RequestBudget(7_000, 0);

/** For a buyer who has pressed a button: within the deadline of `startOrder`. */
export const startBudget = (): RequestBudget => new RequestBudget(11_000, 0);

/** For one order in the background, shared by all work on it. */
export const backgroundBudget = (): RequestBudget => new RequestBudget(20_000, 1);

function outOfTime(): OutOfTime {
  return new OutOfTime('Stripe did not answer in time.');
}
