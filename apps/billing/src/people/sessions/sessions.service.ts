import {
  type EndSessionRequest,
  type ListedSession,
  ServiceError,
  type SessionView,
  type SwitchAccountRequest,
} from '#contracts';
import { type Managed, type Queryable, type RemainingMs, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { noSuchAccount } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts, readClock } from '../../database/account-transactions.js';
import { MembersRepository } from '../records/members.repository.js';
import { type NewSession, type SessionRow, SessionsRepository } from './sessions.repository.js';

/** Where people are signed in, and which of their accounts a session shows. People see and end only their own sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly sessions: SessionsRepository,
    private readonly members: MembersRepository,
  ) {}

  /** Throws `unauthorized` for a session that is unknown or has ended, or whose person is no longer a member of its account. */
  async show(tokenHash: string): Promise<SessionView> {
    const row = await this.sessions.view(this.database, tokenHash);
    if (!row) throw signedOut();
    if (!row.is_seen_again) return toView(row);
    await this.sessions.markSeen(this.database, row.id);
    return this.show(tokenHash);
  }

  /** Whether each of these exists and has not ended. */
  async find(tokenHashes: readonly string[]): Promise<boolean[]> {
    const found = new Set(await this.sessions.existing(this.database, tokenHashes));
    return tokenHashes.map((hash) => found.has(hash));
  }

  /** Opens a session, in the transaction that has recognized the person. */
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

  async showNow(on: Queryable, tokenHash: string): Promise<SessionView> {
    return toView(await this.get(on, tokenHash));
  }

  /** The session that an earlier delivery of the same message has opened. */
  async findOpened(locked: LockedAccounts, tokenHash: string): Promise<SessionView | null> {
    const row = await this.sessions.view(locked, tokenHash);
    return row && toView(row);
  }

  /** Shows another account of the same person. Throws `not_found` for other people's accounts. */
  switchAccount(
    { session_hash, account_id: accountId }: SwitchAccountRequest,
    remainingMs?: RemainingMs,
  ): Promise<SessionView> {
    const change = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId } = await this.get(locked, session_hash);
      if (!(await this.members.findForShare(locked, { accountId, personId }))) throw noSuchAccount();
      return this.moveTo(locked, { id, tokenHash: session_hash }, accountId);
    };
    return this.transactions.run([], change, { remainingMs });
  }

  /** Ends a session, by default the caller's. Throws `not_found` for other people's, `unauthorized` without a session. */
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

  /** Sessions that have not ended, newest first. */
  async list(tokenHash: string): Promise<ListedSession[]> {
    const own = await this.get(this.database, tokenHash);
    const now = await readClock(this.database);
    const sessions = await this.sessions.ofPerson(this.database, own.person_id, now);
    return sessions.map(({ id, method, network, userAgent, signedInAt, lastSeenAt }) => ({
      session_id: id,
      is_current: id === own.id,
      method,
      network,
      user_agent: userAgent,
      signed_in_at: signedInAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
    }));
  }

  /** The network in which the session was opened. */
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
    await this.sessions.markSeen(locked, id);
    return this.showNow(locked, tokenHash);
  }
}

function signedOut(): ServiceError {
  return new ServiceError('unauthorized', 'You are no longer signed in. Sign in again.');
}

const byName = new Intl.Collator('en');

/** What people see of their session. */
export function toView(row: SessionRow): SessionView {
  const { role, account_id: id, account_name: name, is_suspended } = row;
  return {
    session_id: row.id,
    person_id: row.person_id,
    email: row.email,
    role,
    account: id === null ? null : { id, name: name ?? '', ...(is_suspended && { is_suspended }) },
    accounts: row.accounts.toSorted((one, other) => byName.compare(one.name, other.name)),
    invitations: row.invitations,
    expires_at: row.expires_at.toISOString(),
  };
}
