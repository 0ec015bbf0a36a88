import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type TestAccount } from '../../support/accounts.js';
import { type LedgerEntry } from '../../support/admin-api.js';
import { api, type CreditFields, paths } from '../../support/public-api.js';
import { chargesByRequest } from '../../support/reckoning.js';

/** One call, sent several times under one Idempotency-Key. */
interface RepeatedCall {
  readonly path: string;
  readonly requestIds: readonly string[];
  readonly statuses: readonly number[];
  /** What each answer said that it cost. */
  readonly creditsUsed: readonly number[];
}

const betweenCallsMs = 40;
const betweenRepetitionsMs = 30;
/** Every key may search 60 times a minute. */
const searchEvery = 12;
const searchPath = `${paths.search}?q=someone&platform=youtube`;

/** Pays for searches and profiles, and sends each of them twice or thrice. */
export class RepeatingClient {
  readonly calls: RepeatedCall[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly account: TestAccount,
    private readonly slug: string,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Calls of which a request was not answered with a 200, apart from those that had to wait. */
  get failed(): RepeatedCall[] {
    return this.calls.filter(({ statuses }) => statuses.some((status) => status !== 200));
  }

  /** Calls for which more than one charge was kept. */
  paidTwice(entries: readonly LedgerEntry[]): RepeatedCall[] {
    const { kept } = chargesByRequest(entries.filter(({ credits }) => credits !== 0));
    return this.calls.filter(({ requestIds }) => sum(requestIds.map((id) => kept.get(id)?.size ?? 0)) > 1);
  }

  /** Calls that cost something else than their answers say, or whose repetition cost anything. */
  wrong(entries: readonly LedgerEntry[]): RepeatedCall[] {
    const { taken } = chargesByRequest(entries);
    return this.calls.filter(({ requestIds, creditsUsed: [first = 0, ...others] }) => {
      const cost = sum(requestIds.map((id) => taken.get(id) ?? 0));
      return first === 0 || cost !== first || sum(others) !== 0;
    });
  }

  private async run(): Promise<void> {
    for (let number = 0; !this.stopping.signal.aborted; number += 1) {
      const path = number % searchEvery === 0 ? searchPath : paths.profile(this.slug);
      this.calls.push(await this.call(path, 2 + (number % 2), this.keyOf(number)));
      await wait(betweenCallsMs);
    }
  }

  /** The same key sends every repetition; the searches go round all of them. */
  private keyOf(number: number): string {
    const { keys } = this.account;
    return keys[Math.floor(number / searchEvery) % keys.length]?.key ?? '';
  }

  private async call(path: string, times: number, key: string): Promise<RepeatedCall> {
    const idempotencyKey = randomUUID();
    const requestIds: string[] = [];
    const statuses: number[] = [];
    const creditsUsed: number[] = [];
    while (creditsUsed.length < times) {
      const requestId = randomUUID();
      requestIds.push(requestId);
      const headers = { 'x-request-id': requestId, 'idempotency-key': idempotencyKey };
      const reply = await api.get<CreditFields>(path, key, { headers }).catch(() => null);
      // The charge of the first one may not be posted yet.
      if (reply?.status !== 409) {
        statuses.push(reply?.status ?? 0);
        creditsUsed.push(reply?.status === 200 ? reply.body.credits_used : 0);
      }
      await wait(betweenRepetitionsMs);
    }
    return { path, requestIds, statuses, creditsUsed };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
