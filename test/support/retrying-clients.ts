import { setTimeout as wait } from 'node:timers/promises';
import { type TestAccount } from './accounts.js';
import { admin, type CreatorRecord } from './admin-api.js';
import { everyThird, LossyProxy } from './lossy-proxy.js';
import { paths } from './public-api.js';
import { type AnsweredCall, callUntilAnswered } from './repeated-calls.js';

const betweenCallsMs = 30;
const betweenChangesMs = 300;

/**
 * Clients that lose every third answer and repeat each call under its Idempotency-Key until it is answered. Two read each
 * creator again and again: one pays each time, and one keeps its profile fresh while an operator changes it.
 */
export class RetryingClients {
  /** Calls that were answered; each is paid unless its client had the profile already. */
  readonly calls: AnsweredCall[] = [];
  private changes = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly proxy: LossyProxy,
    private readonly account: TestAccount,
    private readonly creators: readonly CreatorRecord[],
  ) {
    this.running = Promise.all([
      ...creators.flatMap(({ slug }) => [this.read(slug, false), this.read(slug, true)]),
      this.change(),
    ]);
  }

  static async start(
    publicUrl: string,
    account: TestAccount,
    creators: readonly CreatorRecord[],
  ): Promise<RetryingClients> {
    return new RetryingClients(await new LossyProxy(publicUrl, everyThird).listen(), account, creators);
  }

  /** Resolves once every call that has begun is answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.proxy.close();
  }

  private async read(slug: string, keepsFresh: boolean): Promise<void> {
    const { key } = this.account;
    let etag: string | undefined;
    while (!this.stopping.signal.aborted) {
      const call = { key, path: paths.profile(slug), price: 1, etag };
      const answered = await callUntilAnswered(this.proxy.url, call);
      this.calls.push(answered);
      if (keepsFresh) etag = answered.reply.headers.etag;
      await wait(betweenCallsMs);
    }
  }

  /** Whether a change was made that was not acknowledged makes no difference: clients see what there is. */
  private async change(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const creator = this.creators[this.changes % this.creators.length];
      this.changes += 1;
      const body = { ...creator, tagline: `version ${this.changes}` };
      await admin.call('PUT', `/creators/${creator?.slug}`, body).catch(() => undefined);
      await wait(betweenChangesMs);
    }
  }
}
