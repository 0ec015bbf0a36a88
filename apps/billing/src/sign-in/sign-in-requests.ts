import {
  type RequestSignInReply,
  type RequestSignInRequest,
  ServiceError,
  type SignInLinkRequest,
} from '@app/contracts';
import { foldEmail, sha256 } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type Mail } from '../mail/mail.js';
import { MailService } from '../mail/mail.service.js';
import { PromptMails } from '../mail/prompt-mails.js';
import { type Member } from '../people/member.entity.js';
import { MembersRepository } from '../people/members.repository.js';
import { PeopleRepository } from '../people/people.repository.js';
import { signInMail } from './sign-in-mail.js';
import { mailedForMs, operatorsLinkForMs, SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';
import { hashCode, newSecrets, type SignInSecrets } from './sign-in-secrets.js';
import { SignInsRepository } from './sign-ins.repository.js';

/** The beginning of a sign-in: a mail with a link and a code, or the link of an operator. */
@Injectable()
export class SignInRequests {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly signIns: SignInsRepository,
    private readonly people: PeopleRepository,
    private readonly members: MembersRepository,
    private readonly mail: MailService,
    private readonly mails: PromptMails,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /**
   * Sends a mail, once per sign-in id. The same work and the same reply for every address: who it belongs to is looked up
   * afterwards. Throws `rate_limited` after too many for the address, and `unavailable` where no mail server is set up.
   */
  async request(request: RequestSignInRequest): Promise<RequestSignInReply> {
    if (!this.mail.isOn) {
      throw new ServiceError(
        'unavailable',
        'Signing in by mail is not set up here: ask the operator for a link.',
      );
    }
    const emailFolded = foldEmail(request.email);
    if (emailFolded === null) throw notAnAddress();
    const secrets = newSecrets();
    const isNew = await this.transactions.run([], (locked) =>
      this.add(locked, request, emailFolded, secrets),
    );
    if (isNew) this.mails.sendSoon(() => this.compose(request, emailFolded, secrets));
    return { valid_for_seconds: mailedForMs / 1_000 };
  }

  /** Registers an operator's link for a member, once per token. Throws `not_found` without the member. */
  createLink(request: SignInLinkRequest): Promise<{ email: string; valid_for_seconds: number }> {
    return this.transactions.run([request.account_id], async (locked) => {
      const { person } = await this.memberOf(locked, request);
      if (!(await this.signIns.findByLink(locked, request.token_hash))) {
        await this.signIns.insert(locked, {
          id: uuidv7(),
          emailFolded: person.emailFolded,
          linkHash: request.token_hash,
          accountId: request.account_id,
          expiresAt: new Date(locked.now.getTime() + operatorsLinkForMs),
        });
      }
      return { email: person.email, valid_for_seconds: operatorsLinkForMs / 1_000 };
    });
  }

  private async add(
    locked: LockedAccounts,
    { sign_in_id: id, browser_hash: browserHash }: RequestSignInRequest,
    emailFolded: string,
    { token, code }: SignInSecrets,
  ): Promise<boolean> {
    await this.signIns.lockAddress(locked, emailFolded);
    if (await this.signIns.find(locked, id)) return false;
    if (await this.signIns.isMailedOften(locked, emailFolded)) throw tooManyMails();
    await this.signIns.insert(locked, {
      id,
      emailFolded,
      linkHash: sha256(token),
      codeHash: hashCode(browserHash, id, code),
      browserDigest: sha256(browserHash),
      expiresAt: new Date(locked.now.getTime() + mailedForMs),
    });
    return true;
  }

  /** An unknown address gets a mail only when it may sign up, and exactly the address by which it will be known. */
  private async compose(
    { pages_url: pagesUrl, network }: RequestSignInRequest,
    emailFolded: string,
    secrets: SignInSecrets,
  ): Promise<Mail | null> {
    const person = await this.people.find(this.database, emailFolded);
    const isMember = person !== null && (await this.members.isMemberAnywhere(this.database, person.id));
    if (!isMember && !this.options.isSignUpOpen) return null;
    return signInMail({ to: person?.email ?? emailFolded, pagesUrl, network, secrets });
  }

  private async memberOf(
    locked: LockedAccounts,
    { account_id: accountId, email }: SignInLinkRequest,
  ): Promise<Member> {
    const member =
      email === undefined
        ? await this.members.firstOwner(locked, accountId)
        : await this.members.findByEmail(locked, accountId, foldEmail(email) ?? email);
    if (member) return member;
    const who = email === undefined ? 'owner' : 'member with this address';
    throw new ServiceError('not_found', `There is no account with this id, or it has no ${who}.`);
  }
}

function notAnAddress(): ServiceError {
  return new ServiceError('invalid_request', 'This is not an e-mail address.', {
    details: { email: ['email must be an e-mail address'] },
  });
}

function tooManyMails(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many sign-in mails for this address: use the newest one, or ask again in 15 minutes.',
  );
}
