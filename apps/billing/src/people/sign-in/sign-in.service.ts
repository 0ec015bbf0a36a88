import {
  type FinishSignInByCodeRequest,
  type FinishSignInByLinkRequest,
  type OpenSignInLink,
  ServiceError,
  type SessionView,
} from '#contracts';
import { isSameSecret, sha256 } from '#platform';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { checkCode, type CodeVerdict, hashCode } from './sign-in-codes.js';
import { SignIn } from './sign-in.entity.js';
import { lockAddress } from '../records/people.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { FirstSignIn } from './first-sign-in.js';

/** Sign-ins are kept for this long, to limit wrong codes. */
export const keptForMs = 24 * 3_600_000;

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
  async byLink(request: FinishSignInByLinkRequest, by: ChangeContext = {}): Promise<SessionView> {
    const known = await this.database.manager.findOneBy(SignIn, { linkHash: request.token_hash });
    if (!known) throw invalidLink();
    const finish = async (locked: LockedAccounts, signIn: SignIn): Promise<SessionView | null> => {
      if (signIn.usedAt || locked.now >= signIn.expiresAt) return null;
      return this.use(locked, signIn, request);
    };
    const session = await this.locked(known, request.session_hash, finish, by);
    if (!session) throw invalidLink();
    return session;
  }

  /** Throws `unauthorized`, with one message, for a code that is wrong, used, expired or requested in another browser. */
  async byCode(request: FinishSignInByCodeRequest, by: ChangeContext = {}): Promise<SessionView> {
    // The newest one that this browser has requested: the code of an older mail is no longer accepted.
    const known = await this.database.manager.findOne(SignIn, {
      where: { browserDigest: sha256(request.browser_hash), personId: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    if (!known) throw invalidCode();
    const finish = async (locked: LockedAccounts, signIn: SignIn): Promise<SessionView | null> => {
      const verdict = await verdictOn(
        locked,
        signIn,
        hashCode(request.browser_hash, signIn.id, request.code),
      );
      return verdict === 'right' ? this.use(locked, signIn, request) : null;
    };
    const session = await this.locked(known, request.session_hash, finish, by);
    if (!session) throw invalidCode();
    return session;
  }

  /** Locks the address and runs `finish` with the sign-in as it is then, unless the session has been opened before. */
  private locked(
    { id, emailFolded }: SignIn,
    sessionHash: string,
    finish: (locked: LockedAccounts, signIn: SignIn) => Promise<SessionView | null>,
    by: ChangeContext,
  ): Promise<SessionView | null> {
    const run = async (locked: LockedAccounts): Promise<SessionView | null> => {
      await lockAddress(locked, emailFolded);
      const opened = await this.sessions.findOpened(locked, sessionHash);
      if (opened) return opened;
      const signIn = await locked.manager.findOneBy(SignIn, { id });
      return signIn && finish(locked, signIn);
    };
    return this.transactions.run([], run, by);
  }

  private async use(
    locked: LockedAccounts,
    signIn: SignIn,
    request: FinishSignInByLinkRequest | FinishSignInByCodeRequest,
  ): Promise<SessionView | null> {
    const { emailFolded, accountId, codeHash } = signIn;
    const method = codeHash === null ? 'operator' : 'mail';
    const who = { emailFolded, accountId, method, isAddressProven: true } as const;
    const session = await this.firstSignIn.open(locked, who, request);
    if (session) await locked.manager.update(SignIn, { id: signIn.id }, { usedAt: locked.now });
    return session;
  }
}

/**
 * Whether a code with this hash is accepted, under the lock of its address. A wrong one is counted, which has to be committed: the
 * caller must not throw.
 */
export async function verdictOn(
  { manager, now }: LockedAccounts,
  signIn: SignIn,
  typedHash: string,
): Promise<CodeVerdict> {
  const { id, emailFolded, codeHash, usedAt, expiresAt, attempts } = signIn;
  const createdAt = MoreThan(new Date(now.getTime() - keptForMs));
  const verdict = checkCode({
    isRight: isSameSecret(typedHash, codeHash ?? ''),
    isUsed: usedAt !== null,
    expiresAt,
    attempts,
    attemptsOfAddress: (await manager.sum(SignIn, 'attempts', { emailFolded, createdAt })) ?? 0,
    now,
  });
  if (verdict === 'wrong') await manager.increment(SignIn, { id }, 'attempts', 1);
  return verdict;
}

function invalidLink(): ServiceError {
  return new ServiceError('unauthorized', 'This link has expired: it works once and for a short time.');
}

export function invalidCode(): ServiceError {
  return new ServiceError('unauthorized', 'That code is wrong or has expired.');
}
