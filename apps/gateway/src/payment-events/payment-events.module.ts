import { Module } from '@nestjs/common';
import { EventReception } from './event-reception.js';
import { PaymentEventsController } from './payment-events.controller.js';

/** Webhooks of Stripe, passed on to billing, which knows what they mean. */
@Module({ controllers: [PaymentEventsController], providers: [EventReception] })
export class PaymentEventsModule {}
