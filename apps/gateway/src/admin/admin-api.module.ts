import { Module } from '@nestjs/common';
import { AccountsController } from './accounts/accounts.controller.js';
import { AdjustmentsController } from './adjustments/adjustments.controller.js';
import { AgreementsController } from './agreements/agreements.controller.js';
import { CreatorsController } from './creators/creators.controller.js';
import { ImportModule } from './import/import.module.js';
import { KeysController } from './keys/keys.controller.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { StatementController } from './ledger/statement.controller.js';
import { PeopleController } from './people/people.controller.js';
import { OrdersController } from './orders/orders.controller.js';
import { AdminPaymentEventsController } from './payment-events/payment-events.controller.js';
import { PurchasesController } from './purchases/purchases.controller.js';
import { SignInLinksController } from './sign-in-links/sign-in-links.controller.js';
import { SignInRulesController } from './sign-in-rules/sign-in-rules.controller.js';

/** The operations of the admin API v1. */
@Module({
  imports: [ImportModule],
  controllers: [
    AccountsController,
    KeysController,
    SignInLinksController,
    SignInRulesController,
    PeopleController,
    PurchasesController,
    OrdersController,
    AdminPaymentEventsController,
    AgreementsController,
    AdjustmentsController,
    LedgerController,
    StatementController,
    CreatorsController,
  ],
})
export class AdminApiModule {}
