import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { lockAddress } from './lock-address.js';
import { Person } from './person.entity.js';

export type NewPerson = Pick<Person, 'id' | 'emailFolded'>;

/** People by their addresses. */
@Injectable()
export class PeopleRepository {
  find({ manager }: Managed, emailFolded: string): Promise<Person | null> {
    return manager.findOneBy(Person, { emailFolded });
  }

  /** The person with this address: `person`, unless there is one already; they stay until the end of the transaction. */
  async findOrAdd(locked: LockedAccounts, person: NewPerson): Promise<Person> {
    const { manager, now } = locked;
    await lockAddress(locked, person.emailFolded);
    const values = { ...person, email: person.emailFolded, createdAt: now };
    await manager.createQueryBuilder().insert().into(Person).values(values).orIgnore().execute();
    return manager.findOneByOrFail(Person, { emailFolded: person.emailFolded });
  }
}
