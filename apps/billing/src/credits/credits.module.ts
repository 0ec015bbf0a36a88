import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Adjustment } from './adjustment.entity.js';
import { AdjustmentsService } from './adjustments.service.js';
import { Agreement } from './agreement.entity.js';
import { AgreementsService } from './agreements.service.js';
import { CreditsController } from './credits.controller.js';
import { DueGrantsStep } from './due-grants.step.js';
import { LotRefund } from './lot-refund.entity.js';
import { LotRefundsService } from './lot-refunds.service.js';
import { PurchasesService } from './purchases.service.js';

/** How accounts get credits: purchases of packs, monthly Enterprise grants, goodwill and corrections; and how lots are refunded. */
@Module({
  imports: [
    AccountTransactionsModule,
    LedgerModule,
    TypeOrmModule.forFeature([Adjustment, Agreement, LotRefund]),
  ],
  controllers: [CreditsController],
  providers: [AdjustmentsService, AgreementsService, DueGrantsStep, LotRefundsService, PurchasesService],
  exports: [AdjustmentsService, DueGrantsStep, LotRefundsService],
})
export class CreditsModule {}
