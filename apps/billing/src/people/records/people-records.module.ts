import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { MembersRepository } from './members.repository.js';
import { UnusedPeopleStep } from './unused-people.step.js';

/** People and their memberships. Apart from `PeopleModule`, which needs accounts and keys, while accounts and notices need these. */
@Module({
  imports: [AccountTransactionsModule],
  providers: [MembersRepository, UnusedPeopleStep],
  exports: [MembersRepository, UnusedPeopleStep],
})
export class PeopleRecordsModule {}
