import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { reportsPool } from '../database/data-source.js';
import { ReportsPoolModule } from '../reports/common/reports-pool.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PeopleModule } from '../people/records/people.module.js';
import { Account } from './account.entity.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { SignUpNetworksStep } from './sign-up-networks.step.js';
import { UnusedAccountsStep } from './unused-accounts.step.js';

/** Accounts: created by operators, read with their balance and lots. */
@Module({
  imports: [
    AccountTransactionsModule,
    LedgerModule,
    PeopleModule,
    ReportsPoolModule,
    TypeOrmModule.forFeature([Account], reportsPool),
  ],
  controllers: [AccountsController],
  providers: [AccountsRepository, AccountsService, SignUpNetworksStep, UnusedAccountsStep],
  exports: [AccountsRepository, SignUpNetworksStep, UnusedAccountsStep],
})
export class AccountsModule {}
