import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { Person } from './person.entity.js';

export type NewPerson = Pick<Person, 'id' | 'email' | 'emailFolded'>;

/** People by their addresses. */
@Injectable()
export class PeopleRepository {
  find({ manager }: Managed, emailFolded: string): Promise<Person | null> {
    return manager.findOneBy(Person, { emailFolded });
  }

  /** The person with this address: `person`, unless there is one already, also when another transaction has just added it. */
  async findOrAdd({ manager, now }: LockedAccounts, person: NewPerson): Promise<Person> {
    const values = { ...person, createdAt: now };
    await manager.createQueryBuilder().insert().into(Person).values(values).orIgnore().execute();
    return manager.findOneByOrFail(Person, { emailFolded: person.emailFolded });
  }
}
