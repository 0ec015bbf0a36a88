import {
  type FinishSignInByCodeRequest,
  type FinishSignInByLinkRequest,
  type OpenSignInLink,
  ServiceError,
  type SessionView,
} from '#contracts';
import { isSameSecret, sha256 } from '#platform';
import { type ChangeContext, type Managed, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { dayMs } from '../../durations.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { checkCode, hashCode } from './sign-in-codes.js';
import { SignIn } from './sign-in.entity.js';
import { lockAddress } from '../records/people.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { FirstSignIn } from './first-sign-in.js';

/** Sign-ins are kept for this long, to limit wrong codes. */
export const keptForMs = dayMs;

const describeLinkSql = `
  SELECT email_folded AS email, accounts.name AS account
  FROM sign_ins LEFT JOIN accounts ON accounts.id = sign_ins.account_id
  WHERE link_hash = $1 AND used_at IS NULL AND expires_at > ledger_now()`;

/**
 * Completes sign-ins by mail or by an operator's link: a link or a code opens one session. A repeated message gets the session of
 * the first one.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly sessions: SessionsService,
    private readonly firstSignIn: FirstSignIn,
  ) {}

  /** Whom a link signs in. Throws `unauthorized` for one that is unknown, used or expired. */
  async showLink(tokenHash: string): Promise<OpenSignInLink> {
    const { query } = this.database;
    const [link] = await query<OpenSignInLink>('describe sign-in link', describeLinkSql, [tokenHash]);
    if (!link) throw invalidLink();
    return link;
  }

  /** Throws `unauthorized` for a link that is unknown, used or expired, or whose address may no longer sign in. */
  async byLink(request: FinishSignInByLinkRequest, by: ChangeContext): Promise<SessionView> {
    const known = await this.database.manager.findOneBy(SignIn, { linkHash: request.token_hash });
    const isOpen = ({ now }: LockedAccounts, { usedAt, expiresAt }: SignIn) => !usedAt && now < expiresAt;
    const session = known && (await this.finish(known, request, isOpen, by));
    if (!session) throw invalidLink();
    return session;
  }

  /** Throws `unauthorized`, with one message, for a code that is wrong, used, expired or requested in another browser. */
  async byCode(request: FinishSignInByCodeRequest, by: ChangeContext): Promise<SessionView> {
    const { browser_hash, code } = request;
    const known = await newestOf(this.database, browser_hash, null);
    const isRight = (locked: LockedAccounts, signIn: SignIn) =>
      checkTyped(locked, signIn, browser_hash, code);
    const session = known && (await this.finish(known, request, isRight, by));
    if (!session) throw invalidCode();
    return session;
  }

  /**
   * Under the lock of the address, opens a session if the sign-in is accepted as it is then, or shows the one that was opened before.
   * `null`: it is not accepted, or the address may not sign in.
   */
  private finish(
    { id, emailFolded, accountId, codeHash }: SignIn,
    request: FinishSignInByLinkRequest | FinishSignInByCodeRequest,
    isAccepted: (locked: LockedAccounts, signIn: SignIn) => boolean | Promise<boolean>,
    by: ChangeContext,
  ): Promise<SessionView | null> {
    const method = codeHash === null ? 'operator' : 'mail';
    const who = { emailFolded, accountId, method, isAddressProven: true } as const;
    const finish = async (locked: LockedAccounts): Promise<SessionView | null> => {
      await lockAddress(locked, emailFolded);
      const opened = await this.sessions.findOpened(locked, request.session_hash);
      if (opened) return opened;
      const signIn = await locked.manager.findOneBy(SignIn, { id });
      if (!signIn || !(await isAccepted(locked, signIn))) return null;
      const session = await this.firstSignIn.open(locked, who, request);
      if (session) await locked.manager.update(SignIn, { id }, { usedAt: locked.now });
      return session;
    };
    return this.transactions.run([], finish, by);
  }
}

/**
 * The newest attempt of a browser to sign in, or of a person to change their address: the code of an older mail is no longer
 * accepted.
 */
export function newestOf(
  { manager }: Managed,
  browserHash: string,
  personId: string | null,
): Promise<SignIn | null> {
  return manager.findOne(SignIn, {
    where: { browserDigest: sha256(browserHash), personId: personId ?? IsNull() },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
}

/**
 * Whether a code is accepted, under the lock of its address. A wrong one is counted, which has to be committed: the caller must not
 * throw.
 */
export async function checkTyped(
  { manager, now }: LockedAccounts,
  signIn: SignIn,
  browserHash: string,
  code: string,
): Promise<boolean> {
  const { id, emailFolded, codeHash } = signIn;
  const createdAt = MoreThan(new Date(now.getTime() - keptForMs));
  const attemptsOfAddress = (await manager.sum(SignIn, 'attempts', { emailFolded, createdAt })) ?? 0;
  const isRight = isSameSecret(hashCode(browserHash, id, code), codeHash ?? '');
  const verdict = checkCode({ ...signIn, isRight, attemptsOfAddress, now });
  if (verdict === 'wrong') await manager.increment(SignIn, { id }, 'attempts', 1);
  return verdict === 'right';
}

function invalidLink(): ServiceError {
  return new ServiceError('unauthorized', 'This link has expired: it works once and for a short time.');
}

export function invalidCode(): ServiceError {
  return new ServiceError('unauthorized', 'That code is wrong or has expired.');
}
