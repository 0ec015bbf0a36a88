import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

/** Browsers in which people are signed in. */
@Module({
  imports: [AccountTransactionsModule, LedgerModule, PeopleModule],
  controllers: [SessionsController],
  providers: [SessionsRepository, SessionsService],
  exports: [SessionsRepository, SessionsService],
})
export class SessionsModule {}
