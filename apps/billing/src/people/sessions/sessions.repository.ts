import { type MemberRole, type OwnAccount } from '#contracts';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { type MemberOfAccount } from '../records/members.repository.js';
import { Session } from './session.entity.js';

/** A session ends this long after it was last seen. */
const sessionForMs = 30 * 24 * 3_600_000;
/** When a session was last seen is written at most this often. */
const seenEveryMs = 10 * 60_000;

const listMax = 100;
const accountsMax = 200;

/**
 * Hand-written: one round trip for every page view, served by `sessions_token_hash_unique`, `invitations_of_address` and
 * primary keys. A session whose account the person is no longer a member of has no row.
 */
const viewSql = `
  SELECT sessions.id, sessions.person_id, accounts.id AS account_id, sessions.expires_at, people.email_folded AS email, members.role,
    accounts.name AS account_name, accounts.suspended_at IS NOT NULL AS is_suspended, sessions.is_address_proven,
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

/** Served by `sessions_token_hash_unique`, also when most of the hashes are made up. */
const existingSql = `
  SELECT token_hash FROM sessions WHERE token_hash = ANY($1::text[]) AND expires_at > ledger_now()`;

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

export interface SessionRow {
  readonly id: string;
  readonly person_id: string;
  /** `null`, as are the other columns of the account: the session shows none. */
  readonly account_id: string | null;
  readonly expires_at: Date;
  readonly email: string;
  readonly role: MemberRole | null;
  readonly account_name: string | null;
  readonly is_suspended: boolean;
  readonly is_address_proven: boolean;
  readonly invitations: number;
  readonly is_seen_again: boolean;
  readonly accounts: readonly OwnAccount[];
}

export type NewSession = Pick<
  Session,
  'id' | 'tokenHash' | 'personId' | 'accountId' | 'network' | 'userAgent' | 'method' | 'isAddressProven'
>;

/** The sessions of people. An ended one is kept for a day, so that it can be ended again without an error. */
@Injectable()
export class SessionsRepository {
  /** A session that has not ended, of a person who is still a member of the account that it shows. */
  async view({ query }: Queryable, tokenHash: string): Promise<SessionRow | null> {
    const [row] = await query<SessionRow>('select session', viewSql, [tokenHash, seenEveryMs / 1_000]);
    return row ?? null;
  }

  /** The tokens whose sessions have not ended. */
  async existing({ query }: Queryable, tokenHashes: readonly string[]): Promise<string[]> {
    const rows = await query<{ token_hash: string }>('find sessions', existingSql, [tokenHashes]);
    return rows.map(({ token_hash }) => token_hash);
  }

  /** A session that may have ended. */
  findByToken({ manager }: Managed, tokenHash: string): Promise<Session | null> {
    return manager.findOneBy(Session, { tokenHash });
  }

  findOfPerson({ manager }: Managed, personId: string, id: string): Promise<Session | null> {
    return manager.findOneBy(Session, { id, personId });
  }

  /** Sessions that have not ended, newest first. */
  ofPerson({ manager }: Managed, personId: string, now: Date): Promise<Session[]> {
    return manager.find(Session, {
      where: { personId, expiresAt: MoreThan(now) },
      order: { signedInAt: 'DESC', id: 'DESC' },
      take: listMax,
    });
  }

  async insert({ manager, now }: LockedAccounts, session: NewSession): Promise<void> {
    const expiresAt = new Date(now.getTime() + sessionForMs);
    await manager.insert(Session, { ...session, signedInAt: now, lastSeenAt: now, expiresAt });
  }

  async changeAccount({ manager }: Managed, id: string, accountId: string | null): Promise<void> {
    await manager.update(Session, { id }, { accountId });
  }

  /** Extends the session and notes when the member of its account was last there. */
  async markSeen({ query }: Queryable, id: string): Promise<void> {
    await query('mark session', markSeenSql, [id, sessionForMs / 1_000]);
  }

  async end({ manager, now }: LockedAccounts, id: string): Promise<void> {
    await manager.update(Session, { id, expiresAt: MoreThan(now) }, { expiresAt: now });
  }

  async endOfPerson({ manager, now }: LockedAccounts, personId: string): Promise<void> {
    await manager.update(Session, { personId, expiresAt: MoreThan(now) }, { expiresAt: now });
  }

  /** Ends every session of a person that shows this account. */
  async endOfMember(
    { manager, now }: LockedAccounts,
    { accountId, personId }: MemberOfAccount,
  ): Promise<void> {
    await manager.update(Session, { personId, accountId, expiresAt: MoreThan(now) }, { expiresAt: now });
  }
}
