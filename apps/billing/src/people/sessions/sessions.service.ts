import {
  type EndSessionRequest,
  type FinishSignInByLinkRequest,
  type ListedSession,
  ServiceError,
  type SessionView,
  type SwitchAccountRequest,
} from '#contracts';
import { type ChangeContext, type Queryable, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, MoreThan } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { dayMs, minuteMs } from '../../durations.js';
import { notFound } from '../../errors.js';
import { noSuchAccount } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts, readClock } from '../../database/account-transactions.js';
import { MembersRepository } from '../records/members.repository.js';
import { Session } from './session.entity.js';

/** A session ends this long after it was last seen. */
const sessionForMs = 30 * dayMs;
/** When a session was last seen is written at most this often. */
const seenEveryMs = 10 * minuteMs;

const listMax = 100;
const accountsMax = 200;

/**
 * Hand-written: one round trip for every page view, served by `sessions_token_hash_unique`, `invitations_of_address` and
 * primary keys. A session whose account the person is no longer a member of has no row.
 */
const viewSql = `
  SELECT sessions.id, sessions.person_id, accounts.id AS account_id, sessions.expires_at, people.email_folded AS email, members.role,
    CASE WHEN accounts.id IS NOT NULL THEN json_strip_nulls(json_build_object(
      'id', accounts.id, 'name', accounts.name, 'is_suspended', CASE WHEN accounts.suspended_at IS NOT NULL THEN true END
    )) END AS account, sessions.is_address_proven, sessions.network,
    sessions.last_seen_at <= ledger_now() - make_interval(secs => $2) AS is_seen_again,
    (SELECT count(*)::integer FROM invitations
     WHERE sessions.is_address_proven AND invitations.email_folded = people.email_folded AND ended_at IS NULL AND invitations.expires_at > ledger_now()
    ) AS invitations,
    (SELECT COALESCE(json_agg(json_build_object('id', id, 'name', name)), '[]') FROM (
       SELECT others.id, others.name FROM members AS memberships
       JOIN accounts AS others ON others.id = memberships.account_id
       WHERE memberships.person_id = sessions.person_id ORDER BY memberships.added_at LIMIT ${accountsMax}
     ) AS all_accounts) AS accounts
  FROM sessions
  JOIN people ON people.id = sessions.person_id
  LEFT JOIN members ON members.account_id = sessions.account_id AND members.person_id = sessions.person_id
  LEFT JOIN accounts ON accounts.id = members.account_id
  WHERE token_hash = $1 AND sessions.expires_at > ledger_now()
    AND (sessions.account_id IS NULL OR members.person_id IS NOT NULL)`;

/** One statement for both rows. A session that has ended meanwhile stays ended. */
const markSeenSql = `
  WITH seen AS (
    UPDATE sessions
    SET last_seen_at = (SELECT ledger_now()), expires_at = (SELECT ledger_now() + make_interval(secs => $2))
    WHERE id = $1 AND expires_at > (SELECT ledger_now())
    RETURNING account_id, person_id, last_seen_at
  )
  UPDATE members SET last_seen_at = seen.last_seen_at FROM seen
  WHERE members.account_id = seen.account_id AND members.person_id = seen.person_id`;

export interface SessionRow extends Omit<SessionView, 'session_id' | 'expires_at'> {
  readonly id: string;
  /** `null`: the session shows none. */
  readonly account_id: string | null;
  readonly expires_at: Date;
  readonly is_address_proven: boolean;
  /** The network in which the session was opened. */
  readonly network: string;
  readonly is_seen_again: boolean;
}

/** The browser that signs in. */
export type SignedInBrowser = Pick<FinishSignInByLinkRequest, 'session_hash' | 'network' | 'user_agent'>;

/**
 * Where people are signed in, and which of their accounts a session shows. People see and end only their own sessions. An ended one is
 * kept for a day, so that it can be ended again without an error.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly members: MembersRepository,
  ) {}

  /** Throws `unauthorized` for a session that is unknown or has ended, or whose person is no longer a member of its account. */
  async show(tokenHash: string): Promise<SessionView> {
    const row = await this.get(this.database, tokenHash);
    return row.is_seen_again ? seenNow(this.database, row.id, tokenHash) : toView(row);
  }

  /** Opens a session, in the transaction that has recognized the person. */
  async open(
    { manager, now, query }: LockedAccounts,
    of: Pick<Session, 'personId' | 'accountId' | 'method' | 'isAddressProven'>,
    { session_hash: tokenHash, network, user_agent: userAgent }: SignedInBrowser,
  ): Promise<SessionView> {
    const id = uuidv7();
    const times = { signedInAt: now, lastSeenAt: now, expiresAt: new Date(now.getTime() + sessionForMs) };
    await manager.insert(Session, { ...of, ...times, id, tokenHash, network, userAgent });
    return seenNow({ query }, id, tokenHash);
  }

  /** Shows another account of the same person, or none. */
  async moveTo(
    locked: LockedAccounts,
    { id, tokenHash }: Pick<Session, 'id' | 'tokenHash'>,
    accountId: string | null,
  ): Promise<SessionView> {
    await locked.manager.update(Session, { id }, { accountId });
    return seenNow(locked, id, tokenHash);
  }

  /** The session that an earlier delivery of the same message has opened. */
  async findOpened(locked: LockedAccounts, tokenHash: string): Promise<SessionView | null> {
    const row = await view(locked, tokenHash);
    return row && toView(row);
  }

  /** Shows another account of the same person. Throws `not_found` for other people's accounts. */
  switchAccount(request: SwitchAccountRequest, by: ChangeContext): Promise<SessionView> {
    const { session_hash, account_id: accountId } = request;
    const change = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId } = await this.get(locked, session_hash);
      if (!(await this.members.findForShare(locked, { accountId, personId }))) throw noSuchAccount();
      return this.moveTo(locked, { id, tokenHash: session_hash }, accountId);
    };
    return this.transactions.run([], change, by);
  }

  /** Ends a session, by default the caller's. Throws `not_found` for other people's, `unauthorized` without a session. */
  async end({ session_hash, session_id: id }: EndSessionRequest): Promise<void> {
    await this.transactions.run([], async (locked) => {
      const { manager } = locked;
      const own = await manager.findOneBy(Session, { tokenHash: session_hash });
      if (id !== undefined && id !== own?.id) {
        const { person_id: personId } = await this.get(locked, session_hash);
        if (!(await manager.existsBy(Session, { id, personId }))) {
          throw notFound('This session does not exist.');
        }
      }
      const ended = id ?? own?.id;
      if (ended !== undefined) await this.endAll(locked, { id: ended });
    });
  }

  /** Ends the sessions that have not ended: one, or those of a person. */
  async endAll(
    { manager, now }: LockedAccounts,
    which: FindOptionsWhere<Session> & (Pick<Session, 'id'> | Pick<Session, 'personId'>),
  ): Promise<void> {
    await manager.update(Session, { ...which, expiresAt: MoreThan(now) }, { expiresAt: now });
  }

  /** Sessions that have not ended, newest first. */
  async list(tokenHash: string): Promise<ListedSession[]> {
    const own = await this.get(this.database, tokenHash);
    const sessions = await this.database.manager.find(Session, {
      where: { personId: own.person_id, expiresAt: MoreThan(await readClock(this.database)) },
      order: { signedInAt: 'DESC', id: 'DESC' },
      take: listMax,
    });
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

  /** Throws `unauthorized` for a session that `show` refuses. */
  async get(on: Queryable, tokenHash: string): Promise<SessionRow> {
    const row = await view(on, tokenHash);
    if (!row) throw signedOut();
    return row;
  }
}

/** A session that has not ended, of a person who is still a member of the account that it shows. */
async function view({ query }: Queryable, tokenHash: string): Promise<SessionRow | null> {
  const [row] = await query<SessionRow>('select session', viewSql, [tokenHash, seenEveryMs / 1_000]);
  return row ?? null;
}

/** Extends the session, records when its member was last seen in the account, and shows it. */
async function seenNow(on: Queryable, id: string, tokenHash: string): Promise<SessionView> {
  await on.query('mark session', markSeenSql, [id, sessionForMs / 1_000]);
  const row = await view(on, tokenHash);
  if (!row) throw signedOut();
  return toView(row);
}

function signedOut(): ServiceError {
  return new ServiceError('unauthorized', 'You are no longer signed in. Sign in again.');
}

const byName = new Intl.Collator('en');

/** What people see of their session. */
export function toView(row: SessionRow): SessionView {
  const { id: session_id, person_id, email, role, account, accounts, invitations, expires_at } = row;
  return {
    ...{ session_id, person_id, email, role, account, invitations },
    accounts: accounts.toSorted((one, other) => byName.compare(one.name, other.name)),
    expires_at: expires_at.toISOString(),
  };
}
