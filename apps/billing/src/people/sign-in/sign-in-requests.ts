import {
  foldEmail,
  mailboxOf,
  type RequestSignInReply,
  type RequestSignInRequest,
  ServiceError,
  type SignInLinkRequest,
  type SignInMethods,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { type Mail } from '../mail/mail.js';
import { MailService } from '../mail/mail.service.js';
import { PromptMails } from '../mail/prompt-mails.js';
import { invalidEmail } from '../records/invalid-email.js';
import { InvitationsRepository } from '../records/invitations.repository.js';
import { JoinDomainsRepository } from '../records/join-domains.repository.js';
import { lockMailbox } from '../records/lock-mailbox.js';
import { MembersRepository } from '../records/members.repository.js';
import { PeopleRepository } from '../records/people.repository.js';
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
    private readonly invitations: InvitationsRepository,
    private readonly joinDomains: JoinDomainsRepository,
    private readonly mail: MailService,
    private readonly mails: PromptMails,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  methods(): SignInMethods {
    return { by_mail: this.mail.isOn, sign_up_open: this.options.isSignUpOpen };
  }

  /**
   * Sends a mail, once per sign-in id. The same work and the same reply for every address: who it belongs to is looked up
   * afterwards. Throws `rate_limited` after too many for the mailbox, and `unavailable` where no mail server is set up.
   */
  async request(request: RequestSignInRequest): Promise<RequestSignInReply> {
    if (!this.mail.isOn) {
      throw new ServiceError(
        'unavailable',
        'Sign-in by email is not available here. Ask the operator of this service for a link.',
      );
    }
    const emailFolded = foldEmail(request.email);
    if (emailFolded === null) throw invalidEmail(request.email);
    const secrets = newSecrets();
    const isNew = await this.transactions.run([], (locked) =>
      this.add(locked, request, emailFolded, secrets),
    );
    if (isNew) this.mails.sendSoon('sign_in', () => this.compose(request, emailFolded, secrets));
    return { valid_for_seconds: mailedForMs / 1_000 };
  }

  /** Registers an operator's link for a member or an invited person, once per token. Throws `not_found` without either. */
  createLink(request: SignInLinkRequest): Promise<{ email: string; valid_for_seconds: number }> {
    return this.transactions.run([request.account_id], async (locked) => {
      const emailFolded = await this.addressOf(locked, request);
      if (!(await this.signIns.findByLink(locked, request.token_hash))) {
        await this.signIns.insert(locked, {
          id: uuidv7(),
          emailFolded,
          linkHash: request.token_hash,
          accountId: request.account_id,
          expiresAt: new Date(locked.now.getTime() + operatorsLinkForMs),
        });
      }
      return { email: emailFolded, valid_for_seconds: operatorsLinkForMs / 1_000 };
    });
  }

  private async add(
    locked: LockedAccounts,
    { sign_in_id: id, browser_hash: browserHash }: RequestSignInRequest,
    emailFolded: string,
    { token, code }: SignInSecrets,
  ): Promise<boolean> {
    const mailbox = mailboxOf(emailFolded);
    await lockMailbox(locked, mailbox);
    if (await this.signIns.find(locked, id)) return false;
    if (await this.signIns.isMailedOften(locked, mailbox)) throw tooManyMails();
    await this.signIns.insert(locked, {
      id,
      emailFolded,
      mailbox,
      linkHash: sha256(token),
      codeHash: hashCode(browserHash, id, code),
      browserDigest: sha256(browserHash),
      expiresAt: new Date(locked.now.getTime() + mailedForMs),
    });
    return true;
  }

  /** An unknown address gets a mail only when it may sign up, was invited or may join an account. */
  private async compose(
    { pages_url: pagesUrl, network }: RequestSignInRequest,
    emailFolded: string,
    secrets: SignInSecrets,
  ): Promise<Mail | null> {
    const person = await this.people.find(this.database, emailFolded);
    const isMember = person !== null && (await this.members.isMemberAnywhere(this.database, person.id));
    const maySignIn =
      isMember ||
      this.options.isSignUpOpen ||
      (await this.invitations.isWaiting(this.database, emailFolded, null)) ||
      (await this.joinDomains.isAny(this.database, emailFolded));
    if (!maySignIn) return null;
    return signInMail({ to: emailFolded, pagesUrl, network, secrets });
  }

  private async addressOf(
    locked: LockedAccounts,
    { account_id: accountId, email }: SignInLinkRequest,
  ): Promise<string> {
    const emailFolded = email === undefined ? null : (foldEmail(email) ?? email);
    const member =
      emailFolded === null
        ? await this.members.firstOwner(locked, accountId)
        : await this.members.findByEmail(locked, accountId, emailFolded);
    if (member) return member.person.emailFolded;
    if (emailFolded !== null && (await this.invitations.isWaiting(locked, emailFolded, accountId))) {
      return emailFolded;
    }
    const who = emailFolded === null ? 'owner' : 'member with this address';
    throw new ServiceError('not_found', `There is no account with this id, or it has no ${who}.`);
  }
}

function tooManyMails(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many sign-in emails for this address. Use the latest one, or try again in 15 minutes.',
  );
}
