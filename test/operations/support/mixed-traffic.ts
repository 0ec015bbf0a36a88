import { createFundedAccount, type TestAccount } from '../../support/accounts.js';
import { admin, type Audit } from '../../support/admin-api.js';
import { Buyer } from '../../support/buyer.js';
import { type CheckedCall, checkCalls } from '../../support/checked-calls.js';
import { Consumer, hasFailed } from '../../support/consumers.js';
import { reckon } from '../../support/reckoning.js';
import { type AnsweredCall, reckonCalls } from '../../support/repeated-calls.js';
import { RetryingClients } from '../../support/retrying-clients.js';
import { settledLedgers } from '../../support/settled-ledgers.js';
import { SuiteCatalog } from '../../support/suite-catalog.js';
import { Operator } from './operator.js';

/** What had happened until a moment. */
export interface Progress {
  /** Requests that were answered, of all clients. */
  readonly requests: number;
  readonly failed: readonly string[];
}

/** What the clients and the ledger say, once everything is settled. Lists of what must not be. */
export interface Outcome {
  readonly creditsSeen: number;
  readonly creditsTaken: number;
  readonly paidTwice: readonly unknown[];
  readonly wrongCredits: readonly unknown[];
  readonly wrongCalls: readonly CheckedCall[];
  readonly purchases: number;
  readonly wrongPurchases: readonly string[];
  readonly audit: Audit;
}

const funds = { credits: 1_000_000, keys: 5 };
const pendingTimeoutMs = 30_000;
const settledWithinMs = 2 * pendingTimeoutMs;

/**
 * Everything that customers and operators do at once: calls, calls that lose every third answer and are repeated, purchases,
 * imports, changes of keys and creators.
 */
export class MixedTraffic {
  private constructor(
    private readonly consumers: readonly Consumer[],
    private readonly retrying: RetryingClients,
    private readonly buyer: Buyer,
    private readonly operator: Operator,
    /** Of the consumers, and of the client that loses answers. */
    private readonly accounts: readonly [readonly TestAccount[], TestAccount],
  ) {}

  static async start(publicUrl: string): Promise<MixedTraffic> {
    const catalog = new SuiteCatalog();
    const [creator, changing] = [catalog.record('someone'), catalog.record('changing')];
    await catalog.importVisible([creator, changing]);
    const [losing, ...rich] = await Promise.all(Array.from({ length: 3 }, () => createFundedAccount(funds)));
    if (!losing) throw new Error('no account was created');
    return new MixedTraffic(
      rich.map((account) => new Consumer(account, creator.slug, false)),
      await RetryingClients.start(publicUrl, losing, [changing]),
      new Buyer(rich.map(({ id }) => id)),
      new Operator(catalog),
      [rich, losing],
    );
  }

  get progress(): Progress {
    const receipts = this.consumers.flatMap((consumer) => consumer.receipts);
    const { calls } = this.retrying;
    return {
      requests: receipts.length + calls.flatMap(({ statuses }) => statuses).length + this.operator.requests,
      failed: [
        ...receipts
          .filter(hasFailed)
          .map(({ status, expected }) => `a call: ${status} instead of ${expected}`),
        ...calls.flatMap(({ statuses }) => statuses.filter((status) => status >= 500).map(String)),
        ...this.operator.failed,
      ],
    };
  }

  /** Lets every client finish, then compares what they saw with the ledger. */
  async stop(): Promise<Outcome> {
    const clients = [...this.consumers, this.retrying, this.buyer, this.operator];
    await Promise.all(clients.map((client) => client.stop()));
    const [consumers, losing] = this.accounts;
    const consumed = await settledLedgers(
      consumers.map(({ id }) => id),
      settledWithinMs,
    );
    const lost = await settledLedgers([losing.id], settledWithinMs);
    const receipts = this.consumers.flatMap((consumer) => consumer.receipts);
    const ofConsumers = reckon(receipts, consumed, [], pendingTimeoutMs);
    const ofLosing = reckonCalls(this.retrying.calls, lost);
    const lots = consumed.filter(({ type }) => type === 'purchase').map(({ lot_id }) => lot_id);
    const isPaidTwice = ({ requestIds }: AnsweredCall): boolean => requestIds.length > 1;
    return {
      creditsSeen: ofConsumers.creditsSeen + ofLosing.priceOfAll,
      creditsTaken: ofConsumers.creditsTaken + ofLosing.creditsTaken,
      paidTwice: [...ofConsumers.doubled, ...ofLosing.overpaid.filter(isPaidTwice)],
      wrongCredits: [
        ...ofConsumers.overcharged,
        ...ofConsumers.undercharged,
        ...ofConsumers.foreign,
        ...ofLosing.overpaid,
        ...ofLosing.underpaid,
        ...ofLosing.foreign,
      ],
      wrongCalls: (await checkCalls(consumers, receipts)).filter(({ verdict }) => verdict === 'wrong'),
      purchases: this.buyer.purchases,
      wrongPurchases: [
        ...this.buyer.doubled,
        ...lots.filter((id) => !this.buyer.bought.has(id)),
        ...[...this.buyer.bought].filter((id) => !lots.includes(id)),
      ],
      audit: await admin.audit(),
    };
  }
}
