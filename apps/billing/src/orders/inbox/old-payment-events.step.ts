import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../sweep-steps/sweep-step.js';
import { PaymentEventsRepository } from './payment-events.repository.js';

/** Deletes events 30 days after they were worked on: by then Stripe neither sends nor lists them any more. */
@Injectable()
export class OldPaymentEventsStep implements SweepStep {
  readonly name = 'old payment events';

  constructor(private readonly events: PaymentEventsRepository) {}

  run(batchSize: number): Promise<number> {
    return this.events.deleteOld(batchSize);
  }
}
