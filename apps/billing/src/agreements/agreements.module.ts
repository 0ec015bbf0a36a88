import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Agreement } from './agreement.entity.js';
import { AgreementsController } from './agreements.controller.js';
import { AgreementsRepository } from './agreements.repository.js';
import { AgreementsService } from './agreements.service.js';
import { DueGrants } from './due-grants.js';
import { DueGrantsStep } from './due-grants.step.js';

/** Enterprise agreements, and the sweep's step that makes their monthly grants. */
@Module({
  imports: [AccountTransactionsModule, LedgerModule, TypeOrmModule.forFeature([Agreement])],
  controllers: [AgreementsController],
  providers: [AgreementsRepository, AgreementsService, DueGrants, DueGrantsStep],
  exports: [DueGrantsStep],
})
export class AgreementsModule {}
