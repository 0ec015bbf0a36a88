import { Module } from '@nestjs/common';
import { PaymentEventsController } from './payment-events.controller.js';

/** Webhooks of Stripe, passed on to billing, which knows what they mean. */
@Module({ controllers: [PaymentEventsController] })
export class PaymentEventsModule {}
