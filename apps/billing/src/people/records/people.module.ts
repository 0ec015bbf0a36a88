import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { MembersRepository } from './members.repository.js';
import { PeopleRepository } from './people.repository.js';
import { UnusedPeopleStep } from './unused-people.step.js';

/**
 * People and their memberships, for modules that change them in their own transactions. Apart from the folder `members`, because
 * accounts, keys and notices need these records, and changing members needs accounts and keys.
 */
@Module({
  imports: [AccountTransactionsModule],
  providers: [MembersRepository, PeopleRepository, UnusedPeopleStep],
  exports: [MembersRepository, PeopleRepository, UnusedPeopleStep],
})
export class PeopleModule {}
