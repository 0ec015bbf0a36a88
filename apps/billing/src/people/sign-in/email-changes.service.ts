import {
  accountNameLengthMax,
  type ConfirmEmailChangeRequest,
  type RequestEmailChangeRequest,
  type RequestSignInReply,
  type ServiceError,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import { conflict, invalidField } from '../../errors.js';
import { Account } from '../../accounts/account.entity.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { ImmediateMailer } from '../mail/immediate-mailer.js';
import { type Mail } from '../mail/mail.js';
import { findPerson, lockAddress, requireEmail } from '../records/people.js';
import { Member } from '../records/member.entity.js';
import { Person } from '../records/person.entity.js';
import { type SessionRow, SessionsService } from '../sessions/sessions.service.js';
import { shownCode } from './sign-in-codes.js';
import { mailedForMs, SignInRequests } from './sign-in-requests.js';
import { SignIn } from './sign-in.entity.js';
import { checkTyped, invalidCode, newestOf } from './sign-in.service.js';

/**
 * Changes the address by which people sign in and are notified, by a code that is sent to the new one. The code counts only in the
 * session that asked for it; its mail has no link.
 */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly sessions: SessionsService,
    private readonly requests: SignInRequests,
    private readonly mailer: ImmediateMailer,
  ) {}

  /** Mails a code, also to an address that is another person's: only its owner learns that. Throws as `requestEmailChange` says. */
  async request(request: RequestEmailChangeRequest): Promise<RequestSignInReply> {
    this.requests.requireMail();
    const { session_hash: browserHash, change_id: id } = request;
    const emailFolded = requireEmail(request.email);
    const secrets = await this.transactions.run([], async (locked) => {
      const { person_id: personId, email: present } = await this.sessions.get(locked, browserHash);
      if (present === emailFolded) throw invalidField('email', 'This is your email address already.');
      await lockAddress(locked, present);
      return this.requests.add(locked, { id, browserHash, emailFolded, personId });
    });
    if (secrets) {
      this.mailer.sendSoon('sign_in', (product) => codeMail(product, emailFolded, secrets.code));
    }
    return { valid_for_seconds: mailedForMs / 1_000 };
  }

  /** Changes the address of the person, and of the accounts they own that have it. Throws as `confirmEmailChange` says. */
  async confirm(request: ConfirmEmailChangeRequest, by: ChangeContext): Promise<{ email: string }> {
    const session = await this.sessions.get(this.database, request.session_hash);
    const { person_id: personId, email: before } = session;
    const newest = await newestOf(this.database, request.session_hash, personId);
    if (!newest) throw wrongCode();
    const owned = await this.database.manager.findBy(Member, { personId, role: 'owner' });
    const change = async (locked: LockedAccounts) => {
      // Sorted, so that two changes can't deadlock.
      for (const address of [before, newest.emailFolded].sort()) await lockAddress(locked, address);
      return this.changeLocked(locked, session, newest.id, request);
    };
    const accountIds = owned.map(({ accountId }) => accountId);
    const refused = await this.transactions.run(accountIds, change, by);
    if (refused) throw refused;
    return { email: newest.emailFolded };
  }

  /**
   * Resolves to why the address is not changed; an address that is taken uses the code up too. Nothing is thrown after the code was
   * checked, so that the check is committed.
   */
  private async changeLocked(
    locked: LockedAccounts,
    { id: sessionId, person_id: personId, email: before }: SessionRow,
    changeId: string,
    { session_hash, code }: ConfirmEmailChangeRequest,
  ): Promise<ServiceError | null> {
    const { manager, now } = locked;
    await this.sessions.get(locked, session_hash);
    const wanted = await manager.findOneByOrFail(SignIn, { id: changeId });
    const { emailFolded } = wanted;
    if (!(await checkTyped(locked, wanted, session_hash, code))) return wrongCode();
    await manager.update(SignIn, { id: changeId }, { usedAt: now });
    if (await findPerson(locked, emailFolded)) {
      return conflict('This address has a sign-in of its own. Sign in with it instead.');
    }
    await manager.update(Person, { id: personId }, { emailFolded });
    const id = In([...locked.accountIds]);
    await manager.update(Account, { id, email: before }, { email: emailFolded });
    // One that signed up is named after its address until its owner renames it.
    const name = emailFolded.slice(0, accountNameLengthMax);
    await manager.update(Account, { id, name: before }, { name });
    await this.sessions.endAll(locked, { personId, id: Not(sessionId) });
    locked.onCommit(() =>
      this.mailer.sendSoon('sign_in', (product) => changedMail(product, before, emailFolded)),
    );
    return null;
  }
}

function wrongCode(): ServiceError {
  return invalidField('code', invalidCode().message);
}

function codeMail(product: string, to: string, code: string): Mail {
  return {
    kind: 'email_change',
    to,
    subject: `Confirm your email address for ${product}`,
    paragraphs: [
      { label: 'Enter this code where you requested it', shown: shownCode(code) },
      'You then sign in with this address. The code works once and expires in ten minutes. Do not share it: we never ask for it.',
      'If you did not request this, ignore this email.',
    ],
  };
}

function changedMail(product: string, to: string, now: string): Mail {
  return {
    kind: 'email_changed',
    to,
    subject: `Your email address for ${product} has changed`,
    paragraphs: [
      `You now sign in to ${product} with ${now}. This address no longer works, and all other sessions have ended.`,
      'If this was not you, contact us at once: we can end the session and send you a link to sign in, with which you can change the address back.',
    ],
  };
}
