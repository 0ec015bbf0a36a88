import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdjustmentsModule } from '../adjustments/adjustments.module.js';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { reportsPool } from '../database/data-source.js';
import { ReportsModule } from '../database/reports.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Lot } from '../ledger/lots/lot.entity.js';
import { NoticesModule } from '../notices/notices.module.js';
import { AcceptedOrders } from './operators/accepted-orders.js';
import { FraudWarnings } from './operators/fraud-warnings.js';
import { OperatorsOrdersController } from './operators/operators-orders.controller.js';
import { OrderGauges } from './operators/order-gauges.js';
import { OrderRefunds } from './operators/order-refunds.js';
import { OrderReviewsRepository } from './operators/order-reviews.repository.js';
import { OwingAccounts } from './owing-accounts.js';
import { ReviewedOrders } from './operators/reviewed-orders.js';
import { EventGauges } from './inbox/event-gauges.js';
import { EventSubjects } from './inbox/event-subjects.js';
import { EventWorker } from './inbox/event-worker.js';
import { OldPaymentEventsStep } from './inbox/old-payment-events.step.js';
import { PaymentEventsRepository } from './inbox/payment-events.repository.js';
import { Order } from './order.entity.js';
import { OldOrdersStep } from './old-orders.step.js';
import { OrderCheckout } from './order-checkout.js';
import { OrderRefresh } from './order-refresh.js';
import { OrderReviews } from './order-reviews.js';
import { OrderTransitions } from './order-transitions.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { PaymentEventsService } from './payment-events.service.js';
import { StartsLimit } from './payments-limits.interceptor.js';
import { SELLING_OPTIONS, type SellingOptions } from './provider/selling-options.js';
import { loadStripe, STRIPE } from './provider/stripe-client.js';
import { StripePayments } from './provider/stripe-payments.js';
import { StripeRefunds } from './provider/stripe-refunds.js';
import { ReconciliationCursorRepository } from './reconciliation/reconciliation-cursor.repository.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { RecoverableCreditsStep } from './recoverable-credits.step.js';
import { ReturnedCredits } from './returned-credits.js';

interface SellingConfig {
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
  readonly STRIPE_CHECKOUT_URL: string;
  readonly STRIPE_API_URL: string;
  readonly STRIPE_AUTOMATIC_TAX: string;
  readonly STRIPE_PROMOTION_CODES: string;
  readonly RECONCILIATION_PERIOD_MS: number;
}

/** Packs bought by card through Stripe Checkout: orders, what they grant, and what goes back. */
@Module({
  imports: [
    AccountTransactionsModule,
    AdjustmentsModule,
    LedgerModule,
    NoticesModule,
    ReportsModule,
    TypeOrmModule.forFeature([Order]),
    // An order refers to its lot.
    TypeOrmModule.forFeature([Lot, Order], reportsPool),
  ],
  controllers: [OrdersController, OperatorsOrdersController],
  providers: [
    {
      provide: SELLING_OPTIONS,
      inject: [CONFIG],
      useFactory: (config: SellingConfig): SellingOptions => ({
        secretKey: config.STRIPE_SECRET_KEY,
        webhookSecret: config.STRIPE_WEBHOOK_SECRET,
        checkoutUrl: config.STRIPE_CHECKOUT_URL,
        apiUrl: config.STRIPE_API_URL,
        automaticTax: config.STRIPE_AUTOMATIC_TAX === 'on',
        promotionCodes: config.STRIPE_PROMOTION_CODES === 'on',
        reconciliationPeriodMs: config.RECONCILIATION_PERIOD_MS,
      }),
    },
    { provide: STRIPE, inject: [SELLING_OPTIONS], useFactory: loadStripe },
    StripePayments,
    StripeRefunds,
    AcceptedOrders,
    FraudWarnings,
    OldOrdersStep,
    OrderGauges,
    OrderRefunds,
    OrderReviewsRepository,
    OrdersRepository,
    OrderRefresh,
    OrderCheckout,
    OrderReviews,
    OrdersService,
    OwingAccounts,
    ReviewedOrders,
    OrderTransitions,
    PaymentEventsRepository,
    PaymentEventsService,
    EventGauges,
    EventSubjects,
    EventWorker,
    OldPaymentEventsStep,
    StartsLimit,
    ReconciliationCursorRepository,
    ReconciliationService,
    RecoverableCreditsStep,
    ReturnedCredits,
  ],
  exports: [OldOrdersStep, OldPaymentEventsStep, RecoverableCreditsStep],
})
export class OrdersModule {}
