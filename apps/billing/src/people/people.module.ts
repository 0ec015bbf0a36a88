import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Member } from './member.entity.js';
import { MembersRepository } from './members.repository.js';
import { Owners } from './owners.js';
import { PeopleRepository } from './people.repository.js';
import { Person } from './person.entity.js';

/** People and the accounts that they may sign in to, for the modules that change them in their own transactions. */
@Module({
  imports: [TypeOrmModule.forFeature([Member, Person])],
  providers: [MembersRepository, Owners, PeopleRepository],
  exports: [MembersRepository, Owners, PeopleRepository],
})
export class PeopleModule {}
