import { type Invoicing } from './invoicing.js';
import { newId, type Charge, type Dispute, type Refund } from './objects.js';
import { type Payments } from './payments.js';
import { type Records } from './records.js';
import { StandInError } from './stand-in-error.js';

/** The objects of the stand-in, and the operations on them. */
export interface Books {
  readonly records: Records;
  readonly invoicing: Invoicing;
  readonly payments: Payments;
  readonly returns: Returns;
}

export interface NewDispute {
  /** Disputed amount. Default: all that is not refunded. */
  readonly amount?: number | undefined;
  /** An inquiry of the bank, which takes no money. */
  readonly isInquiry?: boolean | undefined;
}

/** What goes back to buyers: refunds by the shop, disputes by their banks. */
export class Returns {
  constructor(private readonly records: Records) {}

  /** Refunds `amount`, or the rest of the payment. */
  refund(
    paymentIntentId: string,
    amount?: number,
    { metadata = {}, reason = 'requested_by_customer' }: Partial<Pick<Refund, 'metadata' | 'reason'>> = {},
  ): Refund {
    const charge = this.paidCharge(paymentIntentId);
    const left = charge.amount - charge.amount_refunded;
    if (this.isChargedBack(charge)) {
      const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
      throw new StandInError(400, message, { code: 'charge_disputed' });
    }
    if (left === 0) {
      throw new StandInError(400, `Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      });
    }
    const refunded = amount ?? left;
    if (refunded < 1 || refunded > left) {
      const message = `Refund amount (${refunded}) is greater than unrefunded amount on charge (${left})`;
      throw new StandInError(400, message, { param: 'amount' });
    }
    const refund: Refund = {
      id: newId('re'),
      amount: refunded,
      charge: charge.id,
      created: this.records.now,
      metadata,
      payment_intent: paymentIntentId,
      reason,
      status: 'succeeded',
    };
    this.records.refunds.set(refund.id, refund);
    charge.amount_refunded += refunded;
    this.records.emit('refund.created', refund);
    this.records.emit('charge.refunded', charge);
    return refund;
  }

  /** The buyer's bank refuses a refund: the money is the shop's again. */
  failRefund(id: string): Refund {
    const refund = this.records.refund(id);
    if (refund.status !== 'succeeded') throw new StandInError(400, 'This refund has failed already.');
    refund.status = 'failed';
    const charge = this.records.charge(refund.charge);
    charge.amount_refunded -= refund.amount;
    this.records.emit('refund.failed', refund);
    this.records.emit('charge.refund.updated', refund);
    return refund;
  }

  /** The buyer's bank takes the money back, at least until the dispute is decided. */
  dispute(paymentIntentId: string, given: NewDispute = {}): Dispute {
    const charge = this.paidCharge(paymentIntentId);
    if (charge.disputed) throw new StandInError(400, `Charge ${charge.id} is disputed already.`);
    const rest = charge.amount - charge.amount_refunded;
    const { amount = rest, isInquiry = false } = given;
    const dispute: Dispute = {
      id: newId('du'),
      amount,
      balance_transactions: [],
      charge: charge.id,
      created: this.records.now,
      currency: charge.currency,
      payment_intent: paymentIntentId,
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
    };
    charge.disputed = true;
    this.records.disputes.set(dispute.id, dispute);
    if (!isInquiry) dispute.balance_transactions.push({ amount: -amount });
    this.records.emit('charge.dispute.created', dispute);
    if (!isInquiry) this.records.emit('charge.dispute.funds_withdrawn', dispute);
    return dispute;
  }

  /** Decides a dispute. One that is won brings the money back; an inquiry is just closed. */
  closeDispute(id: string, outcome: 'won' | 'lost'): Dispute {
    const dispute = this.records.dispute(id);
    const isInquiry = dispute.status === 'warning_needs_response';
    if (!isInquiry && dispute.status !== 'needs_response') {
      throw new StandInError(400, `This dispute is closed already: ${dispute.status}.`);
    }
    dispute.status = isInquiry ? 'warning_closed' : outcome;
    const [withdrawal] = outcome === 'won' ? dispute.balance_transactions : [];
    if (withdrawal) dispute.balance_transactions.push({ amount: -withdrawal.amount });
    this.records.emit('charge.dispute.closed', dispute);
    if (withdrawal) this.records.emit('charge.dispute.funds_reinstated', dispute);
    return dispute;
  }

  private paidCharge(paymentIntentId: string): Charge {
    const { latest_charge } = this.records.paymentIntent(paymentIntentId);
    const charge = latest_charge === null ? undefined : this.records.charge(latest_charge);
    if (!charge?.paid) throw new StandInError(400, 'This payment has not succeeded.');
    return charge;
  }

  /** Whether a dispute that was not won has taken the money back. */
  private isChargedBack({ id }: Charge): boolean {
    const ofCharge = [...this.records.disputes.values()].filter(({ charge }) => charge === id);
    return ofCharge.some(({ balance_transactions }) => balance_transactions.length === 1);
  }
}
