import { type OpenSignInLink } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { SignIn } from './sign-in.entity.js';

/** Mails to one mailbox within `mailsWindowMs`. */
const mailsMax = 5;
const mailsWindowMs = 15 * 60_000;

/** Sign-ins are kept for this long, to limit wrong codes. */
export const keptForMs = 24 * 3_600_000;

const describeLinkSql = `
  SELECT email_folded AS email, accounts.name AS account
  FROM sign_ins LEFT JOIN accounts ON accounts.id = sign_ins.account_id
  WHERE link_hash = $1 AND used_at IS NULL AND expires_at > ledger_now()`;

export type MailedSignIn = Pick<
  SignIn,
  'id' | 'emailFolded' | 'mailbox' | 'linkHash' | 'codeHash' | 'browserDigest' | 'expiresAt'
>;
export type OperatorsSignIn = Pick<SignIn, 'id' | 'emailFolded' | 'linkHash' | 'accountId' | 'expiresAt'>;

/** Sign-ins by their address, link and browser. A transaction that decides about an address locks it first (`lockAddress`). */
@Injectable()
export class SignInsRepository {
  find({ manager }: Managed, id: string): Promise<SignIn | null> {
    return manager.findOneBy(SignIn, { id });
  }

  findByLink({ manager }: Managed, linkHash: string): Promise<SignIn | null> {
    return manager.findOneBy(SignIn, { linkHash });
  }

  /** Whom a link signs in; `null` when it is unknown, used or expired. */
  async describeLink({ query }: Queryable, linkHash: string): Promise<OpenSignInLink | null> {
    const [link] = await query<OpenSignInLink>('describe sign-in link', describeLinkSql, [linkHash]);
    return link ?? null;
  }

  /** The newest one that this browser has requested: the code of an older mail is no longer accepted. */
  findByBrowser({ manager }: Managed, browserDigest: string): Promise<SignIn | null> {
    return manager.findOne(SignIn, { where: { browserDigest }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Whether the mailbox can get no further mail for now. */
  async hasTooManyMails({ manager, now }: LockedAccounts, mailbox: string): Promise<boolean> {
    const createdAt = MoreThan(new Date(now.getTime() - mailsWindowMs));
    return (await manager.countBy(SignIn, { mailbox, codeHash: Not(IsNull()), createdAt })) >= mailsMax;
  }

  /** Wrong codes for the address within 24 hours. */
  async wrongCodes({ manager, now }: LockedAccounts, emailFolded: string): Promise<number> {
    const createdAt = MoreThan(new Date(now.getTime() - keptForMs));
    return (await manager.sum(SignIn, 'attempts', { emailFolded, createdAt })) ?? 0;
  }

  async insert({ manager, now }: LockedAccounts, signIn: MailedSignIn | OperatorsSignIn): Promise<void> {
    await manager.insert(SignIn, { ...signIn, createdAt: now });
  }

  async countAttempt({ manager }: Managed, id: string): Promise<void> {
    await manager.increment(SignIn, { id }, 'attempts', 1);
  }

  async use({ manager, now }: LockedAccounts, id: string): Promise<void> {
    await manager.update(SignIn, { id, usedAt: IsNull() }, { usedAt: now });
  }
}
