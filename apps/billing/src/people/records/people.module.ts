import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { IdentitiesRepository } from './identities.repository.js';
import { Identity } from './identity.entity.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsRepository } from './invitations.repository.js';
import { JoinDomain } from './join-domain.entity.js';
import { JoinDomainsRepository } from './join-domains.repository.js';
import { Member } from './member.entity.js';
import { MembersRepository } from './members.repository.js';
import { Owners } from './owners.js';
import { PeopleRepository } from './people.repository.js';
import { Person } from './person.entity.js';
import { UnusedPeopleStep } from './unused-people.step.js';

const providers = [
  IdentitiesRepository,
  InvitationsRepository,
  JoinDomainsRepository,
  MembersRepository,
  Owners,
  PeopleRepository,
  UnusedPeopleStep,
];

/** People and the accounts that they may sign in to, for the modules that change them in their own transactions. */
@Module({
  imports: [
    AccountTransactionsModule,
    TypeOrmModule.forFeature([Identity, Invitation, JoinDomain, Member, Person]),
  ],
  providers,
  exports: providers,
})
export class PeopleModule {}
