import { type Stack, type StackOptions } from '#dev';
import { type Session, startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { type PageForm, type PageVisitor, runSql, type ShownPage } from '#testing';
import { admin, succeeded } from '../../support/admin-api.js';
import { newOwner } from '../../support/members.js';
import { startOperatedStack } from './operated-stack.js';

/** What operators read of an order. */
interface ReviewedOrder {
  readonly state: string;
  readonly problem: string | null;
  readonly resolution: string | null;
  readonly returns_pending: boolean;
}

/** A stack that sells through a stand-in of its own, which sends no events: billing has to ask. */
export class OwnShop {
  private constructor(
    readonly stack: Stack,
    readonly standIn: StripeStandIn,
  ) {}

  /** `standIn`: of a shop that was stopped without it. */
  static async start(options: StackOptions = {}, standIn?: StripeStandIn): Promise<OwnShop> {
    standIn ??= await startStripeStandIn();
    const stack = await startOperatedStack({
      ...options,
      environment: {
        ...options.environment,
        NODE_ENV: 'test',
        STRIPE_SECRET_KEY: standIn.secretKey,
        STRIPE_WEBHOOK_SECRET: 'whsec_unused',
        STRIPE_API_URL: standIn.url,
        STRIPE_CHECKOUT_URL: standIn.url,
        SALES_EMAIL: 'sales@search.example',
      },
    });
    return new OwnShop(stack, standIn);
  }

  async stop(): Promise<void> {
    await Promise.all([this.stack.stop(), this.standIn.stop()]);
  }

  /** Everything works again. */
  calm(): void {
    this.standIn.failures.clear();
    this.standIn.permissions.restrict({});
  }

  /** A new owner before the button of the Builder pack. */
  async newBuyer(): Promise<Buyer> {
    const { account, owner } = await newOwner();
    const form = (await owner.get('/account/buy')).form('/account/buy', { pack: 'builder' });
    return new Buyer(this, account.id, owner, form);
  }
}

/** A customer who orders 500 credits for $149. */
export class Buyer {
  constructor(
    private readonly shop: OwnShop,
    private readonly accountId: string,
    private readonly owner: PageVisitor,
    private readonly form: PageForm,
  ) {}

  /** Presses the button that leads to the payment. */
  press(): Promise<ShownPage> {
    return this.owner.submit(this.form);
  }

  get orderPath(): string {
    return `/account/buy/${this.orderId}`;
  }

  /** The session of the order, as Stripe has it. */
  get session(): Session {
    const { sessions } = this.shop.standIn.records;
    const found = [...sessions.values()].find(({ client_reference_id: order }) => order === this.orderId);
    if (!found) throw new Error('the order has no session');
    return found;
  }

  /** The one that is shown: failed attempts may have left others. */
  async shownSession(): Promise<Session> {
    const [order] = await this.sql<{ id: string }>('SELECT checkout_session_id AS id FROM orders');
    return this.shop.standIn.records.session(order?.id ?? '');
  }

  /** The page of the order, a while after the last time. */
  async look(): Promise<ShownPage> {
    await this.sql('UPDATE orders SET viewed_at = NULL, answered_at = NULL');
    return this.owner.get(this.orderPath);
  }

  balance(): Promise<number> {
    return admin.balance(this.accountId);
  }

  /** What an operator sees of the order, in a few words. */
  async operatorSees(): Promise<string> {
    const { state, problem, resolution, returns_pending } = succeeded(
      await admin.call<ReviewedOrder>('GET', `/orders/${this.orderId}`),
    );
    const why = problem === null ? '' : `: ${problem.replace(/ \(session \w+\)/g, '')}`;
    const ended = resolution === null ? '' : `, resolved as ${resolution}`;
    return `${state}${why}${ended}${returns_pending ? ', refunds and disputes not read' : ''}`;
  }

  /** An operator grants the order, which is in review. */
  async isGranted(): Promise<void> {
    succeeded(await admin.call('POST', `/orders/${this.orderId}/resolve`, { resolution: 'granted' }));
  }

  private sql<Row extends object>(statement: string): Promise<Row[]> {
    return runSql<Row>(this.shop.stack.databaseUrls.billing, `${statement} WHERE id = '${this.orderId}'`);
  }

  private get orderId(): string {
    return this.form.fields.order_id ?? '';
  }
}
