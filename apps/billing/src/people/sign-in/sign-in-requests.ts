import {
  mailboxOf,
  type RequestSignInReply,
  type RequestSignInRequest,
  ServiceError,
  signInLinkPath,
  type SignInLinkRequest,
  type SignInMethods,
} from '#contracts';
import { sha256 } from '#platform';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { notFound, rateLimited } from '../../errors.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { ImmediateMailer } from '../mail/immediate-mailer.js';
import { type Mail } from '../mail/mail.js';
import { MailService } from '../mail/mail.service.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { lockMailbox, requireEmail } from '../records/people.js';
import { Member } from '../records/member.entity.js';
import { MembersRepository } from '../records/members.repository.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './own-accounts.js';
import { hashCode, newSecrets, shownCode, type SignInSecrets } from './sign-in-codes.js';
import { SignIn } from './sign-in.entity.js';

/** The link and the code of a mail are valid for this long. */
export const mailedForMs = 10 * 60_000;
/** An operator's link, which is passed on by hand. */
const operatorsLinkForMs = 60 * 60_000;
/** Mails to one mailbox, and to addresses that one person wants instead of theirs, within `mailsWindowMs`. */
const mailsMax = 5;
const mailsWindowMs = 15 * 60_000;

/** Starts sign-ins: by a mail with a link and a code, or by an operator's link. */
@Injectable()
export class SignInRequests {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mail: MailService,
    private readonly mailer: ImmediateMailer,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  methods(): SignInMethods {
    return { by_mail: this.mail.isOn, sign_up_open: this.options.isSignUpOpen };
  }

  /**
   * Sends a mail, once per sign-in id. Does the same work and replies the same for every address: its person is looked up
   * afterwards. Throws `rate_limited` after too many mails to the mailbox, and `unavailable` without a mail server.
   */
  async request(request: RequestSignInRequest): Promise<RequestSignInReply> {
    this.requireMail();
    const emailFolded = requireEmail(request.email);
    const asked = { id: request.sign_in_id, browserHash: request.browser_hash, emailFolded, personId: null };
    const add = (locked: LockedAccounts) => this.add(locked, asked);
    const secrets = await this.transactions.run([], add);
    if (secrets) {
      this.mailer.sendSoon('sign_in', async (product) =>
        (await this.maySignIn(emailFolded)) ? signInMail(product, emailFolded, request, secrets) : null,
      );
    }
    return { valid_for_seconds: mailedForMs / 1_000 };
  }

  /** Throws `unavailable` without a mail server. */
  requireMail(): void {
    if (this.mail.isOn) return;
    throw new ServiceError(
      'unavailable',
      'Sign-in by email is not available here. Ask the operator of this service for a link.',
    );
  }

  /** Registers an operator's link, once per token. Throws `not_found` unless it is for a member or an invited person. */
  createLink(
    request: SignInLinkRequest,
    by: ChangeContext,
  ): Promise<{ email: string; valid_for_seconds: number }> {
    const { account_id } = request;
    const create = async (locked: LockedAccounts) => {
      const emailFolded = await this.addressOf(locked, request);
      const { manager, now } = locked;
      if (!(await manager.existsBy(SignIn, { linkHash: request.token_hash }))) {
        await manager.insert(SignIn, {
          id: uuidv7(),
          emailFolded,
          linkHash: request.token_hash,
          accountId: account_id,
          createdAt: now,
          expiresAt: new Date(now.getTime() + operatorsLinkForMs),
        });
        await locked.record({ action: 'sign_in_link.created', account_id, subject: emailFolded });
      }
      return { email: emailFolded, valid_for_seconds: operatorsLinkForMs / 1_000 };
    };
    return this.transactions.run([account_id], create, by);
  }

  /**
   * Registers a mail and resolves to what it contains; `null`: it was sent before. Throws `rate_limited` after too many mails to the
   * mailbox, or for the person, whose address is locked.
   */
  async add(
    locked: LockedAccounts,
    { id, browserHash, emailFolded, personId }: Asked,
  ): Promise<SignInSecrets | null> {
    const mailbox = mailboxOf(emailFolded);
    const { manager, now } = locked;
    await lockMailbox(locked, mailbox);
    if (await manager.existsBy(SignIn, { id })) return null;
    const createdAt = MoreThan(new Date(now.getTime() - mailsWindowMs));
    const toMailbox = await manager.countBy(SignIn, { mailbox, codeHash: Not(IsNull()), createdAt });
    const ofPerson = personId === null ? 0 : await manager.countBy(SignIn, { personId, createdAt });
    if (Math.max(toMailbox, ofPerson) >= mailsMax) {
      throw rateLimited(
        'Too many sign-in emails for this address. Use the latest one, or try again in 15 minutes.',
      );
    }
    const secrets = newSecrets();
    await manager.insert(SignIn, {
      id,
      emailFolded,
      mailbox,
      personId,
      linkHash: sha256(secrets.token),
      codeHash: hashCode(browserHash, id, secrets.code),
      browserDigest: sha256(browserHash),
      createdAt: now,
      expiresAt: new Date(now.getTime() + mailedForMs),
    });
    return secrets;
  }

  /** An unknown address gets a mail only when it may sign up or was invited. */
  private async maySignIn(emailFolded: string): Promise<boolean> {
    if (this.options.isSignUpOpen) return true;
    const isMember = await this.database.manager.existsBy(Member, { person: { emailFolded } });
    return isMember || this.invitations.isWaiting(this.database, emailFolded, null);
  }

  private async addressOf(
    locked: LockedAccounts,
    { account_id: accountId, email }: SignInLinkRequest,
  ): Promise<string> {
    const emailFolded = email === undefined ? null : requireEmail(email);
    const member =
      emailFolded === null
        ? await this.members.firstOwner(locked, accountId)
        : await this.members.findByEmail(locked, accountId, emailFolded);
    if (member) return member.person.emailFolded;
    if (emailFolded !== null && (await this.invitations.isWaiting(locked, emailFolded, accountId))) {
      return emailFolded;
    }
    const who = emailFolded === null ? 'owner' : 'member with this address';
    throw notFound(`There is no account with this id, or it has no ${who}.`);
  }
}

/** A mail that a browser requests; `personId`: a person who wants to change to the address. */
interface Asked extends Pick<SignIn, 'id' | 'emailFolded' | 'personId'> {
  /** Hash of a value that only the browser has. */
  readonly browserHash: string;
}

/** The link opens an account page that asks for confirmation before it signs in. */
function signInMail(
  product: string,
  to: string,
  { pages_url, network }: RequestSignInRequest,
  { token, code }: SignInSecrets,
): Mail {
  const link = `${pages_url}${signInLinkPath}?token=${encodeURIComponent(token)}`;
  return {
    kind: 'sign_in',
    to,
    subject: `Sign in to ${product}`,
    paragraphs: [
      { label: 'Open this link to sign in', link },
      { label: 'Or enter this code where you requested it', shown: shownCode(code) },
      'The link and the code work once and expire in ten minutes. Do not share them: we never ask for them.',
      `This was requested from ${network}. If that was not you, ignore this email.`,
    ],
  };
}
