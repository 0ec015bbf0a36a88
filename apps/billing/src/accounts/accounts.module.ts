import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { reportsPool } from '../database/data-source.js';
import { ReportsPoolModule } from '../reports/common/reports-pool.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PeopleRecordsModule } from '../people/records/people-records.module.js';
import { Account } from './account.entity.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiKey } from './keys/api-key.entity.js';
import { ApiKeysController } from './keys/api-keys.controller.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { KeySecrets } from './keys/key-secrets.js';
import { UnusedAccountsStep } from './unused-accounts.step.js';

/** Accounts, read with their balance and lots, and their API keys, by which gateways know them. */
@Module({
  imports: [
    AccountTransactionsModule,
    LedgerModule,
    PeopleRecordsModule,
    ReportsPoolModule,
    TypeOrmModule.forFeature([Account], reportsPool),
    TypeOrmModule.forFeature([ApiKey]),
  ],
  controllers: [AccountsController, ApiKeysController],
  providers: [
    AccountsRepository,
    AccountsService,
    ApiKeysRepository,
    ApiKeysService,
    KeySecrets,
    UnusedAccountsStep,
  ],
  exports: [AccountsRepository, ApiKeysRepository, ApiKeysService, UnusedAccountsStep],
})
export class AccountsModule {}
