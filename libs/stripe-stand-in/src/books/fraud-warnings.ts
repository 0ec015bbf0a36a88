import { newId } from './ids.js';
import { type Charge, type FraudWarning } from './objects.js';
import { type Records } from './records.js';

/** What card issuers report before, or instead of, a dispute. */
export class FraudWarnings {
  constructor(private readonly records: Records) {}

  /** The issuer believes that the payment was fraud. */
  warn(charge: Charge, fraudType: string): FraudWarning {
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

  /** Nothing can be done about a payment any more that went back, or is disputed. */
  recheck(charge: Charge): void {
    for (const warning of this.records.fraudWarnings.values()) {
      if (warning.charge !== charge.id || warning.actionable === isActionable(charge)) continue;
      warning.actionable = isActionable(charge);
      this.records.tell('radar.early_fraud_warning.updated', warning);
    }
  }
}

function isActionable({ disputed, refunded }: Charge): boolean {
  return !disputed && !refunded;
}
