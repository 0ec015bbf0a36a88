import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { reportsPool } from '../database/data-source.js';
import { ReportsPoolModule } from '../reports/common/reports-pool.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { PaymentEventsRepository } from './inbox/payment-events.repository.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { ReviewedOrdersService } from './operators/reviewed-orders.service.js';
import { OrderCheckout } from './order-checkout.js';
import { OrderRefresh } from './order-refresh.js';
import { OrderTransitions } from './order-transitions.js';
import { Order } from './order.entity.js';
import { OrdersController, StartsLimit } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { OrdersRepository } from './orders.repository.js';
import { SELLING_OPTIONS, sellingOptions } from './provider/selling-options.js';
import { loadStripe, STRIPE } from './provider/stripe-client.js';
import { StripeInvoices } from './provider/stripe-invoices.js';
import { StripePayments } from './provider/stripe-payments.js';
import { ReconciliationService } from './reconciliation.service.js';
import { RecoverableCreditsStep } from './recoverable-credits.step.js';
import { ReturnedCredits } from './returned-credits.js';

/** Packs bought by card through Stripe Checkout: orders, their credits, and refunds. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    CreditsModule,
    LedgerModule,
    NoticesModule,
    ReportsPoolModule,
    TypeOrmModule.forFeature([Order]),
    TypeOrmModule.forFeature([Order], reportsPool),
  ],
  controllers: [OrdersController],
  providers: [
    { provide: SELLING_OPTIONS, inject: [CONFIG], useFactory: sellingOptions },
    { provide: STRIPE, inject: [SELLING_OPTIONS], useFactory: loadStripe },
    OrderCheckout,
    OrderRefresh,
    OrderTransitions,
    OrdersRepository,
    OrdersService,
    PaymentEventsRepository,
    PaymentEventsService,
    ReconciliationService,
    RecoverableCreditsStep,
    ReturnedCredits,
    ReviewedOrdersService,
    StartsLimit,
    StripeInvoices,
    StripePayments,
  ],
  exports: [RecoverableCreditsStep],
})
export class OrdersModule {}
