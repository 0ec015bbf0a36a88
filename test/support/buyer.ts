import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { admin, type Lot } from './admin-api.js';

const betweenPurchasesMs = 100;
const beforeRepetitionMs = 50;

/** Buys packs again and again, as a shop does: every reference until it is acknowledged, and then once more. */
export class Buyer {
  /** Lots, one for each reference. */
  readonly bought = new Set<string>();
  /** References that were answered with more than one lot. */
  readonly doubled: string[] = [];
  purchases = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly accountIds: readonly string[]) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const accountId = this.accountIds[this.purchases % this.accountIds.length] ?? '';
      await this.buy(accountId, `order ${randomUUID()}`);
      await wait(betweenPurchasesMs);
    }
  }

  private async buy(accountId: string, reference: string): Promise<void> {
    const first = await this.untilAcknowledged(accountId, reference);
    const again = await this.untilAcknowledged(accountId, reference);
    if (first !== again) this.doubled.push(reference);
    this.bought.add(first);
    this.purchases += 1;
  }

  private async untilAcknowledged(accountId: string, reference: string): Promise<string> {
    for (;;) {
      try {
        const path = `/accounts/${accountId}/purchases`;
        const { status, body } = await admin.call<Lot>('POST', path, { pack: 'trial', reference });
        if (status === 200 || status === 201) return body.id;
      } catch {
        // The connection broke: whether the purchase was made is found out by repeating it.
      }
      await wait(beforeRepetitionMs);
    }
  }
}
