import { setTimeout as wait } from 'node:timers/promises';
import { type TestAccount } from '../../support/accounts.js';
import { admin, type CreatorRecord } from '../../support/admin-api.js';
import { everyThird, LossyProxy } from '../../support/lossy-proxy.js';
import { paths } from '../../support/public-api.js';
import { type AnsweredCall, callUntilAnswered } from '../../support/repeated-calls.js';

const betweenCallsMs = 15;
const betweenChangesMs = 300;
const callers = 6;

/**
 * Clients that lose every third answer and repeat each call under its Idempotency-Key until it is answered. Some read one
 * profile again and again; one for each creator keeps its profile fresh, while an operator changes it.
 */
export class RetryingClients {
  /** Calls that were answered; each is paid. */
  readonly calls: AnsweredCall[] = [];
  /** The same of those that keep profiles fresh; those for what was unchanged are free. */
  readonly polls: AnsweredCall[] = [];
  changes = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly proxy: LossyProxy,
    private readonly account: TestAccount,
    private readonly creators: readonly CreatorRecord[],
  ) {
    const [creator] = creators;
    this.running = Promise.all([
      ...Array.from({ length: callers }, (_, number) => this.callAgainAndAgain(number, creator?.slug ?? '')),
      ...creators.map(({ slug }, number) => this.keepFresh(number, slug)),
      this.change(),
    ]);
  }

  static async start(
    publicUrl: string,
    account: TestAccount,
    creators: readonly CreatorRecord[],
  ): Promise<RetryingClients> {
    return new RetryingClients(await LossyProxy.open(publicUrl, everyThird), account, creators);
  }

  /** Resolves once every call that has begun is answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.proxy.close();
  }

  private async callAgainAndAgain(number: number, slug: string): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.calls.push(await this.call(number, slug));
      await wait(betweenCallsMs);
    }
  }

  private async keepFresh(number: number, slug: string): Promise<void> {
    let etag: string | undefined;
    while (!this.stopping.signal.aborted) {
      const answered = await this.call(number, slug, etag);
      this.polls.push(answered);
      etag = answered.reply.headers.etag;
      await wait(betweenCallsMs);
    }
  }

  private call(number: number, slug: string, etag?: string): Promise<AnsweredCall> {
    const { id: accountId, keys } = this.account;
    const key = keys[number % keys.length]?.key ?? '';
    return callUntilAnswered(this.proxy.origin, {
      accountId,
      key,
      path: paths.profile(slug),
      price: 1,
      etag,
    });
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
