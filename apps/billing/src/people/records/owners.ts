import { foldEmail } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { MembersRepository } from './members.repository.js';
import { PeopleRepository } from './people.repository.js';

/** Makes the address of an account its owner. */
@Injectable()
export class Owners {
  constructor(
    private readonly people: PeopleRepository,
    private readonly members: MembersRepository,
  ) {}

  /** For an account without members. An address that is not accepted owns nothing: resolves to whether there is an owner now. */
  async makeFirst(locked: LockedAccounts, accountId: string, email: string): Promise<boolean> {
    const emailFolded = foldEmail(email);
    if (emailFolded === null) return false;
    const person = await this.people.findOrAdd(locked, { id: uuidv7(), emailFolded });
    await this.members.insert(locked, { accountId, personId: person.id, role: 'owner' });
    return true;
  }
}
