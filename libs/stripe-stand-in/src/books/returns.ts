import { newId, type Charge, type Dispute, type FraudWarning, type Refund } from './objects.js';
import { type Records } from './records.js';
import { StandInError } from './stand-in-error.js';

export interface NewDispute {
  /** What is disputed, in the currency of the dispute. Default: all that is not refunded. */
  readonly amount?: number | undefined;
  /** Default: that of the payment. */
  readonly currency?: string | undefined;
  /** What is taken from the shop, in the currency of the payment. Default: `amount`, or all in another currency. */
  readonly withdrawn?: number | undefined;
  /** An inquiry of the bank, which takes no money yet. */
  readonly isInquiry?: boolean;
  /** A payment may be disputed in parts. Default: a second dispute is refused. */
  readonly isFurther?: boolean;
}

/** What goes back to buyers: refunds by the shop, disputes by their banks. */
export class Returns {
  /** What each dispute takes from the shop. */
  private readonly withdrawn = new Map<string, number>();

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
    this.recheckWarnings(charge);
    return refund;
  }

  /** Refunds what is left of a payment in so many refunds at once. */
  refundInParts(paymentIntentId: string, parts: number): Refund[] {
    const { amount, amount_refunded } = this.paidCharge(paymentIntentId);
    const part = Math.floor((amount - amount_refunded) / parts);
    return Array.from({ length: parts }, (_, index) =>
      this.refund(paymentIntentId, index < parts - 1 ? part : undefined),
    );
  }

  /** Refunds every payment of which something is left and that no bank has taken back. */
  refundAll(): Refund[] {
    const refundable = [...this.records.charges.values()].filter(
      (charge) => charge.paid && !charge.refunded && !this.isChargedBack(charge),
    );
    return refundable.map(({ payment_intent }) => this.refund(payment_intent));
  }

  /** The card's issuer reports fraud. */
  warnOfFraud(paymentIntentId: string, fraudType = 'unauthorized_use_of_card'): FraudWarning {
    const charge = this.paidCharge(paymentIntentId);
    const warning: FraudWarning = {
      id: newId('issfr'),
      object: 'radar.early_fraud_warning',
      actionable: isActionable(charge),
      charge: charge.id,
      created: this.records.now,
      fraud_type: fraudType,
      livemode: false,
      payment_intent: charge.payment_intent,
    };
    this.records.fraudWarnings.set(warning.id, warning);
    this.records.tell('radar.early_fraud_warning.created', warning);
    return warning;
  }

  /** The buyer's bank refuses a refund: the money is the shop's again. */
  failRefund(id: string): Refund {
    const refund = this.records.refund(id);
    if (refund.status !== 'succeeded') throw new StandInError(400, 'This refund has failed already.');
    refund.status = 'failed';
    const charge = this.records.charge(refund.charge);
    this.count(charge, -refund.amount);
    this.records.tell('refund.failed', refund);
    this.records.tell('charge.refund.updated', refund);
    this.recheckWarnings(charge);
    return refund;
  }

  /** The buyer's bank takes the money back, at least until the dispute is decided. */
  dispute(paymentIntentId: string, given: NewDispute = {}): Dispute {
    const { isInquiry = false, isFurther = false } = given;
    const charge = this.paidCharge(paymentIntentId);
    if (charge.disputed && !isFurther) {
      throw new StandInError(400, `Charge ${charge.id} is disputed already.`);
    }
    const left = charge.amount - charge.amount_refunded;
    const { amount = left, currency = charge.currency } = given;
    const dispute: Dispute = {
      id: newId('du'),
      object: 'dispute',
      amount,
      balance_transactions: [],
      charge: charge.id,
      created: this.records.now,
      currency,
      is_charge_refundable: isInquiry,
      livemode: false,
      metadata: {},
      payment_intent: paymentIntentId,
      reason: 'fraudulent',
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
    };
    charge.disputed = true;
    this.records.disputes.set(dispute.id, dispute);
    this.withdrawn.set(dispute.id, given.withdrawn ?? (currency === charge.currency ? amount : left));
    if (!isInquiry) this.move(dispute, -1);
    this.records.tell('charge.dispute.created', dispute);
    if (!isInquiry) this.records.tell('charge.dispute.funds_withdrawn', dispute);
    this.recheckWarnings(charge);
    return dispute;
  }

  /** The shop sends what it knows; the bank looks at it. */
  respond(id: string): Dispute {
    const dispute = this.openDispute(id);
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review';
    this.records.tell('charge.dispute.updated', dispute);
    return dispute;
  }

  /** An inquiry becomes a dispute that takes the money. */
  escalate(id: string): Dispute {
    const dispute = this.openDispute(id);
    if (!isInquiry(dispute)) throw new StandInError(400, 'This dispute is no inquiry.');
    Object.assign(dispute, { status: 'needs_response', is_charge_refundable: false });
    this.move(dispute, -1);
    this.records.tell('charge.dispute.updated', dispute);
    this.records.tell('charge.dispute.funds_withdrawn', dispute);
    return dispute;
  }

  /** Decides a dispute. One that is won brings the money back; an inquiry is just closed. */
  closeDispute(id: string, outcome: 'won' | 'lost'): Dispute {
    const dispute = this.openDispute(id);
    const isReinstated = outcome === 'won' && !isInquiry(dispute);
    dispute.status = isInquiry(dispute) ? 'warning_closed' : outcome;
    if (isReinstated) this.move(dispute, 1);
    this.records.tell('charge.dispute.closed', dispute);
    if (isReinstated) this.records.tell('charge.dispute.funds_reinstated', dispute);
    return dispute;
  }

  /** A payment that was returned or is disputed needs no action. */
  private recheckWarnings(charge: Charge): void {
    for (const warning of this.records.fraudWarnings.values()) {
      if (warning.charge !== charge.id || warning.actionable === isActionable(charge)) continue;
      warning.actionable = isActionable(charge);
      this.records.tell('radar.early_fraud_warning.updated', warning);
    }
  }

  private openDispute(id: string): Dispute {
    const dispute = this.records.dispute(id);
    if (!['won', 'lost', 'warning_closed'].includes(dispute.status)) return dispute;
    throw new StandInError(400, `This dispute is closed already: ${dispute.status}.`);
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

  /** Takes the money from the shop (-1) or gives it back (1), in the currency in which the shop is paid. */
  private move(dispute: Dispute, sign: 1 | -1): void {
    const transaction = this.records.addBalanceTransaction({
      amount: sign * (this.withdrawn.get(dispute.id) ?? 0),
      currency: this.records.charge(dispute.charge).currency,
      type: 'adjustment',
    });
    dispute.balance_transactions.push(transaction);
  }
}

function isActionable({ disputed, refunded }: Charge): boolean {
  return !disputed && !refunded;
}

function isInquiry({ status }: Dispute): boolean {
  return status.startsWith('warning_');
}
