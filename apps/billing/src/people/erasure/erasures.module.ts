import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../accounts/keys/api-keys.module.js';
import { AdministrationModule } from '../../administration/administration.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { ReportsPoolModule } from '../../reports/common/reports-pool.module.js';
import { PeopleModule } from '../records/people.module.js';
import { ErasuresController } from './erasures.controller.js';
import { ErasuresService } from './erasures.service.js';

/** What is held about a person, and its erasure, also again after a backup was restored. */
@Module({
  imports: [AccountTransactionsModule, AdministrationModule, ApiKeysModule, PeopleModule, ReportsPoolModule],
  controllers: [ErasuresController],
  providers: [ErasuresService],
})
export class ErasuresModule {}
