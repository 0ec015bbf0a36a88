import { type Stack, type StackOptions } from '#dev';
import { type Session, startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { type PageForm, type PageVisitor, type ShownPage } from '#testing';
import { admin } from '../../support/admin-api.js';
import { newOwner } from '../../support/members.js';
import { startOperatedStack } from './operated-stack.js';

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

  /** A new owner before the button of the Builder pack. */
  async newBuyer(): Promise<Buyer> {
    const { account, owner } = await newOwner();
    const form = (await owner.get('/account/buy')).form('/account/buy', { pack: 'builder' });
    return new Buyer(this.standIn, account.id, owner, form);
  }
}

/** A customer who orders 500 credits for $149. */
export class Buyer {
  constructor(
    private readonly standIn: StripeStandIn,
    private readonly accountId: string,
    private readonly owner: PageVisitor,
    private readonly form: PageForm,
  ) {}

  /** Presses the button that leads to the payment. */
  press(): Promise<ShownPage> {
    return this.owner.submit(this.form);
  }

  /** The session of the order, as Stripe has it. */
  get session(): Session {
    const { order_id: id } = this.form.fields;
    const sessions = [...this.standIn.records.sessions.values()];
    const found = sessions.find(({ client_reference_id: order }) => order === id);
    if (!found) throw new Error('the order has no session');
    return found;
  }

  balance(): Promise<number> {
    return admin.balance(this.accountId);
  }
}
