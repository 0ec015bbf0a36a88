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
import { PurchasesService } from './purchases.service.js';

/** How accounts get credits: purchases of packs, monthly Enterprise grants, goodwill and corrections. */
@Module({
  imports: [AccountTransactionsModule, LedgerModule, TypeOrmModule.forFeature([Adjustment, Agreement])],
  controllers: [CreditsController],
  providers: [AdjustmentsService, AgreementsService, DueGrantsStep, PurchasesService],
  exports: [AdjustmentsService, DueGrantsStep],
})
export class CreditsModule {}
