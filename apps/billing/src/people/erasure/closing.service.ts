import { type CloseAccountRequest } from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { conflict, forbidden, invalidField } from '../../errors.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { ErasuresService } from './erasures.service.js';
import { ImmediateMailer } from '../mail/immediate-mailer.js';
import { type Mail, withoutLinks } from '../mail/mail.js';
import { Member } from '../records/member.entity.js';
import { MembersRepository } from '../records/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Payments that have not arrived, or that an operator has to decide. An open order of a closed account is never granted by itself. */
const unsettledSql = `SELECT FROM orders WHERE account_id = $1 AND state IN ('processing', 'in_review') LIMIT 1`;

/** Closes accounts for their owners, as an erasure does for operators. */
@Injectable()
export class ClosingService {
  constructor(
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly sessions: SessionsService,
    private readonly erasures: ErasuresService,
    private readonly mailer: ImmediateMailer,
  ) {}

  /** Closes the account in one transaction; pending charges are settled as usual. Throws as `closeAccount` says. */
  async close(request: CloseAccountRequest, by: ChangeContext): Promise<void> {
    const { session_hash, account_id: accountId, name } = request;
    const { email, person_id: personId } = await this.sessions.get(this.database, session_hash);
    const close = async (locked: LockedAccounts): Promise<void> => {
      await this.sessions.get(locked, session_hash);
      const { role } = await this.members.get(locked, { accountId, personId });
      if (role !== 'owner') throw forbidden('Only owners can close the account.');
      await this.refuse(locked, accountId, name);
      const owners = await this.members.ownersToNotify(locked, accountId);
      const isErased = !(await locked.manager.existsBy(Member, { personId, accountId: Not(accountId) }));
      await this.erasures.eraseLocked(locked, email, [accountId], isErased);
      locked.onCommit(() => {
        for (const { person } of owners) {
          this.mailer.sendSoon('sign_in', (product) => closedMail(product, person.emailFolded, name, email));
        }
      });
    };
    await this.erasures.runLocked(email, [accountId], close, by);
  }

  private async refuse(locked: LockedAccounts, accountId: string, name: string): Promise<void> {
    await this.accounts.requireNotSuspended(locked, accountId);
    if ((await this.accounts.get(locked, accountId)).name !== name) {
      throw invalidField('name', 'Enter the name of the account exactly as shown.');
    }
    if ((await locked.query('find unsettled order', unsettledSql, [accountId])).length === 0) return;
    throw conflict(
      'A payment of this account is being processed or reviewed. You can close the account once that is decided.',
    );
  }
}

function closedMail(product: string, to: string, name: string, closedBy: string): Mail {
  return {
    kind: 'account_closed',
    to,
    subject: `Your account on ${product} is closed`,
    paragraphs: [
      `${closedBy} has closed the account "${withoutLinks(name)}". Its API keys no longer work, its remaining credits have lapsed, and its members have lost access.`,
      'This cannot be undone. If it was a mistake, contact us: we can give credits to a new account.',
    ],
  };
}
