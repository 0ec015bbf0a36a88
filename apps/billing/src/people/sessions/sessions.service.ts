import {
  type EndSessionRequest,
  type ListedSession,
  ServiceError,
  type SessionView,
  type SwitchAccountRequest,
  type WithheldAccount,
} from '@app/contracts';
import { type Managed, type Queryable, type RemainingMs, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type Account } from '../../accounts/account.entity.js';
import { noSuchAccount } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { readClock } from '../../database/read-clock.js';
import { MembersRepository } from '../records/members.repository.js';
import { askedSignIn } from './asked-sign-in.js';
import { toView } from './session-view.js';
import { type NewSession, type SessionRow, SessionsRepository } from './sessions.repository.js';

/** Sessions: who is signed in, where, and to which of their accounts. Nobody sees or ends those of others. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly sessions: SessionsRepository,
    private readonly members: MembersRepository,
  ) {}

  /** Throws `unauthorized` for an unknown, ended or old session, and for one of a person who is no member any more. */
  async show(tokenHash: string): Promise<SessionView> {
    const row = await this.sessions.view(this.database, tokenHash);
    if (!row) throw signedOut();
    const view = toView(row);
    if (!row.is_seen_again) return view;
    await this.sessions.noteSeen(this.database, row.id, view.withheld === undefined);
    return this.show(tokenHash);
  }

  /** Which of these have not ended. */
  async find(tokenHashes: readonly string[]): Promise<boolean[]> {
    const found = new Set(await this.sessions.existing(this.database, tokenHashes));
    return tokenHashes.map((hash) => found.has(hash));
  }

  /** Begins a session of a member, in the transaction that has checked who it is. */
  async open(locked: LockedAccounts, session: NewSession): Promise<SessionView> {
    await this.sessions.insert(locked, session);
    return this.seenNow(locked, session);
  }

  /** Shows another account of the same person, or none. */
  async moveTo(
    locked: LockedAccounts,
    { id, tokenHash }: Pick<NewSession, 'id' | 'tokenHash'>,
    accountId: string | null,
  ): Promise<SessionView> {
    await this.sessions.changeAccount(locked, id, accountId);
    return this.seenNow(locked, { id, tokenHash });
  }

  /** Whether this session may show an account of its person. Throws `forbidden`. */
  assertMayShow(row: SessionRow, account: Account): void {
    const asks = askedSignIn(account, { method: row.method, signedInAt: row.signed_in_at }, row.now);
    if (asks !== null) throw withheld({ name: account.name, asks });
  }

  async showNow(on: Queryable, tokenHash: string): Promise<SessionView> {
    return toView(await this.get(on, tokenHash));
  }

  /** The session that an earlier delivery of the same message has begun. */
  async findOpened(locked: LockedAccounts, tokenHash: string): Promise<SessionView | null> {
    const row = await this.sessions.view(locked, tokenHash);
    return row && toView(row);
  }

  /** Shows another account of the same person. Throws `not_found` for an account of others, `forbidden` for one that is withheld. */
  switchAccount(
    { session_hash, account_id: accountId }: SwitchAccountRequest,
    remainingMs?: RemainingMs,
  ): Promise<SessionView> {
    const change = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId } = await this.get(locked, session_hash);
      if (!(await this.members.findToStay(locked, { accountId, personId }))) throw noSuchAccount();
      const view = await this.moveTo(locked, { id, tokenHash: session_hash }, accountId);
      if (view.withheld) throw withheld(view.withheld);
      return view;
    };
    return this.transactions.run([], change, { remainingMs });
  }

  /** An ended session stays ended. Throws `not_found` for one of others, `unauthorized` without a session. */
  async end({ session_hash, session_id: id }: EndSessionRequest): Promise<void> {
    await this.transactions.run([], async (locked) => {
      const own = await this.sessions.findByToken(locked, session_hash);
      if (id === undefined || id === own?.id) {
        if (own) await this.sessions.end(locked, own.id);
        return;
      }
      const { person_id: personId } = await this.get(locked, session_hash);
      const other = await this.sessions.findOfPerson(locked, personId, id);
      if (!other) throw new ServiceError('not_found', 'This session does not exist.');
      await this.sessions.end(locked, other.id);
    });
  }

  /** Newest first, without those that have ended. */
  async list(tokenHash: string): Promise<ListedSession[]> {
    const own = await this.get(this.database, tokenHash);
    const now = await readClock(this.database);
    const sessions = await this.sessions.ofPerson(this.database, own.person_id, now);
    return sessions.map(({ id, method, network, userAgent, signedInAt, lastSeenAt }) => ({
      session_id: id,
      is_current: id === own.id,
      ...(method === null ? {} : { method }),
      network,
      user_agent: userAgent,
      signed_in_at: signedInAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
    }));
  }

  /** Where the session was begun. */
  async networkOf(on: Managed, tokenHash: string): Promise<string> {
    const session = await this.sessions.findByToken(on, tokenHash);
    if (!session) throw signedOut();
    return session.network;
  }

  /** Throws `unauthorized` for a session that `show` refuses. */
  async get(on: Queryable, tokenHash: string): Promise<SessionRow> {
    const row = await this.sessions.view(on, tokenHash);
    if (!row) throw signedOut();
    return row;
  }

  private async seenNow(
    locked: LockedAccounts,
    { id, tokenHash }: Pick<NewSession, 'id' | 'tokenHash'>,
  ): Promise<SessionView> {
    const { withheld: isWithheld } = await this.showNow(locked, tokenHash);
    await this.sessions.noteSeen(locked, id, isWithheld === undefined);
    return this.showNow(locked, tokenHash);
  }
}

function withheld({ name, asks }: Pick<WithheldAccount, 'name' | 'asks'>): ServiceError {
  const what = asks === 'provider' ? 'sign-in through your company' : 'a newer sign-in';
  return new ServiceError('forbidden', `${name} asks for ${what}.`);
}

function signedOut(): ServiceError {
  return new ServiceError('unauthorized', 'You are no longer signed in. Sign in again.');
}
