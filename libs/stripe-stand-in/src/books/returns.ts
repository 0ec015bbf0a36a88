import { newId } from './ids.js';
import { type BalanceTransaction, type Charge, type Dispute, type Refund } from './objects.js';
import { type Records } from './records.js';
import { StandInError } from './stand-in-error.js';

export interface NewDispute {
  /** Default: all that is not refunded. */
  readonly amount?: number | undefined;
  /** An inquiry of the bank, which takes no money yet. */
  readonly isInquiry?: boolean;
}

/** What goes back to buyers: refunds by the shop, disputes by their banks. */
export class Returns {
  constructor(private readonly records: Records) {}

  /** Refunds `amount`, or what is left of the payment. */
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
      object: 'refund',
      amount: refunded,
      charge: charge.id,
      created: this.records.now,
      currency: charge.currency,
      metadata,
      payment_intent: paymentIntentId,
      reason,
      status: 'succeeded',
    };
    this.records.refunds.set(refund.id, refund);
    this.count(charge, refunded);
    this.records.tell('refund.created', refund);
    this.records.tell('charge.refunded', charge);
    return refund;
  }

  /** The buyer's bank refuses a refund: the money is the shop's again. */
  failRefund(id: string): Refund {
    const refund = this.records.refund(id);
    if (refund.status !== 'succeeded') throw new StandInError(400, 'This refund has failed already.');
    refund.status = 'failed';
    this.count(this.records.charge(refund.charge), -refund.amount);
    this.records.tell('refund.failed', refund);
    this.records.tell('charge.refund.updated', refund);
    return refund;
  }

  /** The buyer's bank takes the money back, at least until the dispute is decided. */
  dispute(paymentIntentId: string, { amount, isInquiry = false }: NewDispute = {}): Dispute {
    const charge = this.paidCharge(paymentIntentId);
    if (charge.disputed) throw new StandInError(400, `Charge ${charge.id} is disputed already.`);
    const dispute: Dispute = {
      id: newId('du'),
      object: 'dispute',
      amount: amount ?? charge.amount - charge.amount_refunded,
      balance_transactions: [],
      charge: charge.id,
      created: this.records.now,
      currency: charge.currency,
      is_charge_refundable: isInquiry,
      livemode: false,
      metadata: {},
      payment_intent: paymentIntentId,
      reason: 'fraudulent',
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
    };
    charge.disputed = true;
    this.records.disputes.set(dispute.id, dispute);
    if (!isInquiry) dispute.balance_transactions.push(this.transaction(dispute, -dispute.amount));
    this.records.tell('charge.dispute.created', dispute);
    if (!isInquiry) this.records.tell('charge.dispute.funds_withdrawn', dispute);
    return dispute;
  }

  /** Decides a dispute. One that is won brings the money back; an inquiry is just closed. */
  closeDispute(id: string, outcome: 'won' | 'lost'): Dispute {
    const dispute = this.records.dispute(id);
    const isInquiry = dispute.status.startsWith('warning_');
    if (['won', 'lost', 'warning_closed'].includes(dispute.status)) {
      throw new StandInError(400, `This dispute is closed already: ${dispute.status}.`);
    }
    dispute.status = isInquiry ? 'warning_closed' : outcome;
    const isReinstated = outcome === 'won' && !isInquiry;
    if (isReinstated) dispute.balance_transactions.push(this.transaction(dispute, dispute.amount));
    this.records.tell('charge.dispute.closed', dispute);
    if (isReinstated) this.records.tell('charge.dispute.funds_reinstated', dispute);
    return dispute;
  }

  private paidCharge(paymentIntentId: string): Charge {
    const { latest_charge } = this.records.paymentIntent(paymentIntentId);
    const charge = latest_charge === null ? undefined : this.records.charge(latest_charge);
    if (!charge?.paid) throw new StandInError(400, 'This payment has not succeeded.');
    return charge;
  }

  private isChargedBack({ id }: Charge): boolean {
    const ofCharge = [...this.records.disputes.values()].filter(({ charge }) => charge === id);
    return ofCharge.some(({ balance_transactions }) => balance_transactions.length === 1);
  }

  private count(charge: Charge, refunded: number): void {
    charge.amount_refunded += refunded;
    charge.refunded = charge.amount_refunded === charge.amount;
  }

  private transaction({ currency }: Dispute, amount: number): BalanceTransaction {
    return this.records.addBalanceTransaction({ amount, currency, type: 'adjustment' });
  }
}
