import { type NewSession, Payments } from './payments.js';
import { type Session } from './objects.js';
import { Records } from './records.js';
import { Returns } from './returns.js';

/** What the stand-in knows, and everything that can happen to it. */
export interface Books {
  readonly records: Records;
  readonly payments: Payments;
  readonly returns: Returns;
}

/** The id of an account that is connected to the shop's. */
export const connectedAccount = 'acct_another';

/**
 * Another account at Stripe, whose events reach the shop's endpoint: it is connected to the shop's account, or its owner
 * has given the same endpoint. The shop's key sees none of its objects.
 */
export class AnotherAccount implements Books {
  /** Otherwise its events don't say whose they are. */
  isConnected = true;
  readonly records = new Records();
  readonly payments: Payments;
  readonly returns = new Returns(this.records);

  constructor(origin: () => string) {
    this.payments = new Payments(this.records, origin);
  }

  /** Something is sold there, for which its owner has chosen this reference. */
  sell(clientReferenceId: string | null = null): Session {
    const { id } = this.payments.create({ ...something, clientReferenceId });
    return this.payments.pay(id, 'card');
  }
}

const something: NewSession = {
  amount: 4_200,
  currency: 'usd',
  successUrl: 'http://another.example',
  cancelUrl: null,
  clientReferenceId: null,
  customerEmail: null,
  description: 'Something else',
  metadata: {},
  paymentMetadata: {},
  expiresAt: undefined,
};
