import { type Managed } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { lockAddress } from './email-addresses.js';
import { Person } from './person.entity.js';

/** People by their addresses. */
@Injectable()
export class PeopleRepository {
  find({ manager }: Managed, emailFolded: string): Promise<Person | null> {
    return manager.findOneBy(Person, { emailFolded });
  }

  /** The person with this address, added if there is none; not deleted until the end of the transaction. */
  async findOrAdd(locked: LockedAccounts, emailFolded: string): Promise<Person> {
    const { manager, now: createdAt } = locked;
    await lockAddress(locked, emailFolded);
    const values = { id: uuidv7(), email: emailFolded, emailFolded, createdAt };
    await manager.createQueryBuilder().insert().into(Person).values(values).orIgnore().execute();
    return manager.findOneByOrFail(Person, { emailFolded });
  }
}
