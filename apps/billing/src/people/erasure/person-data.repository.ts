import { type ErasedKind, mailboxOf } from '#contracts';
import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';

/** A person to erase. */
export interface ErasedPerson {
  readonly emailFolded: string;
  /** `null`: the address is only that of an account, an invitation or a sign-in. */
  readonly personId: string | null;
}

/** An account that would be without an owner. */
export interface OwnedAccount {
  readonly id: string;
  readonly name: string;
}

type Counts = Partial<Record<ErasedKind, number>>;

/** Served by `members_of_person`, `accounts_of_address` and `invitations_of_mailbox`. */
const accountsSql = `
  SELECT account_id AS id FROM members JOIN people ON people.id = person_id WHERE email_folded = $1
  UNION SELECT id FROM accounts WHERE email = $1
  UNION SELECT account_id FROM invitations WHERE mailbox = $2 AND email_folded = $1`;

/** Served by `members_of_person` and `members_pk`. */
const lastOwnerSql = `
  SELECT accounts.id, accounts.name
  FROM members AS own JOIN accounts ON accounts.id = own.account_id
  WHERE own.person_id = $1 AND own.role = 'owner' AND NOT EXISTS (
    SELECT FROM members AS others
    WHERE others.account_id = own.account_id AND others.role = 'owner' AND others.person_id <> $1
  )
  ORDER BY accounts.created_at, accounts.id`;

/** Of the accounts that they may have opened. */
const signUpsSql = `
  UPDATE accounts SET signed_up_from = NULL
  WHERE signed_up_from IS NOT NULL
    AND (email = $1 OR id IN (SELECT account_id FROM members WHERE person_id = $2 AND role = 'owner'))`;

/** An account opened by sign-up is named after its address. */
const accountAddressesSql = `
  UPDATE accounts SET email = 'Erased account ' || id, name = CASE WHEN lower(name) = $1 THEN 'Erased account ' || id ELSE name END
  WHERE email = $1 RETURNING id`;

/** What belongs to the person only; each served by an index on the person. The invitations that they have sent end. */
const ofPerson: readonly (readonly [ErasedKind, string])[] = [
  ['memberships', 'DELETE FROM members WHERE person_id = $1 RETURNING account_id'],
  ['identities', 'DELETE FROM identities WHERE person_id = $1 RETURNING issuer'],
  ['sessions', 'DELETE FROM sessions WHERE person_id = $1 RETURNING id'],
  ['mails', 'DELETE FROM deliveries WHERE person_id = $1 RETURNING id'],
];
const endInvitationsSql = `
  UPDATE invitations SET ended_at = $2 WHERE invited_by = $1 AND ended_at IS NULL`;

/** What belongs to the address; served by `sign_ins_of_address` and `invitations_of_mailbox`. */
const signInsSql = 'DELETE FROM sign_ins WHERE email_folded = $1 RETURNING id';
const invitationsSql = 'DELETE FROM invitations WHERE mailbox = $2 AND email_folded = $1 RETURNING id';

/** No address has this form, so nobody signs in as this person; the sweep deletes them once nothing refers to them. */
const pseudonymSql = `
  UPDATE people SET email = 'Erased person ' || id, email_folded = 'Erased person ' || id, next_check_at = $2
  WHERE id = $1 RETURNING id`;

/** What a closed account no longer has; served by indexes on the account. */
const ofClosed = 'account_id = ANY($1::uuid[])';
const endsOfClosed = [
  [
    'end sessions of account',
    `UPDATE sessions SET expires_at = $2 WHERE ${ofClosed} AND expires_at > $2::timestamptz`,
  ],
  [
    'end invitations of account',
    `UPDATE invitations SET ended_at = $2 WHERE ${ofClosed} AND ended_at IS NULL`,
  ],
  [
    'end agreement of account',
    `UPDATE agreements SET ended_at = $2, next_due_at = NULL WHERE ${ofClosed} AND ended_at IS NULL`,
  ],
] as const;
const removedOfClosed = [
  ['delete members of account', `DELETE FROM members WHERE ${ofClosed}`],
  ['delete notice settings of account', `DELETE FROM notice_settings WHERE ${ofClosed}`],
] as const;
const closeAccountsSql = `
  UPDATE accounts SET name = 'Erased account ' || id, email = 'Erased account ' || id
  WHERE id = ANY($1::uuid[]) RETURNING id`;
const switchOffSql = `
  UPDATE api_keys SET active = false WHERE account_id = ANY($1::uuid[]) AND active AND deleted_at IS NULL
  RETURNING id`;

/** Served by `orders_of_person` and `api_keys_of_maker`. */
const restSql = `
  SELECT (SELECT count(*)::integer FROM orders WHERE person_id = $1) AS orders,
    (SELECT count(*)::integer FROM api_keys WHERE created_by = $1) AS keys,
    ARRAY(
      SELECT payment_intent_id FROM orders WHERE person_id = $1 AND payment_intent_id IS NOT NULL
      ORDER BY ordered_at DESC LIMIT 100
    ) AS payments`;

/** What is kept of a person. */
export interface PersonRest {
  readonly orders: number;
  readonly keys: number;
  /** Payments at Stripe, at most 100. */
  readonly payments: readonly string[];
}

/** The data of a person in every table. Hand-written: one statement for each kind, which says how much it has erased. */
@Injectable()
export class PersonDataRepository {
  /** The accounts to lock before the person is erased. */
  async accounts({ query }: Queryable, emailFolded: string): Promise<string[]> {
    const parameters = [emailFolded, mailboxOf(emailFolded)];
    const rows = await query<{ id: string }>('select accounts of address', accountsSql, parameters);
    return rows.map(({ id }) => id);
  }

  /** Accounts whose only owner is the person. */
  ownedAlone({ query }: Queryable, personId: string): Promise<OwnedAccount[]> {
    return query<OwnedAccount>('select accounts of last owner', lastOwnerSql, [personId]);
  }

  /** Everything but what `close` does to their accounts; says how much. */
  async erase({ query, now }: LockedAccounts, { emailFolded, personId }: ErasedPerson): Promise<Counts> {
    const count = async (kind: ErasedKind, sql: string, parameters: unknown[]): Promise<Counts> => {
      const name = `erase ${kind}` as const;
      return { [kind]: (await query(name, sql, parameters)).length };
    };
    await query('erase networks of sign-ups', signUpsSql, [emailFolded, personId]);
    const counts = [
      await count('sign_ins', signInsSql, [emailFolded]),
      await count('invitations', invitationsSql, [emailFolded, mailboxOf(emailFolded)]),
      await count('account_addresses', accountAddressesSql, [emailFolded]),
    ];
    if (personId !== null) {
      await query('end invitations of person', endInvitationsSql, [personId, now]);
      for (const [kind, sql] of ofPerson) counts.push(await count(kind, sql, [personId]));
      counts.push(await count('people', pseudonymSql, [personId, now]));
    }
    return Object.assign({}, ...counts) as Counts;
  }

  /** Closes accounts; returns how many keys were switched off. */
  async close({ query, now }: LockedAccounts, accountIds: readonly string[]): Promise<number> {
    for (const [name, sql] of endsOfClosed) await query(name, sql, [accountIds, now]);
    for (const [name, sql] of removedOfClosed) await query(name, sql, [accountIds]);
    await query('rename closed accounts', closeAccountsSql, [accountIds]);
    return (await query('switch off keys', switchOffSql, [accountIds])).length;
  }

  async rest({ query }: Queryable, personId: string): Promise<PersonRest> {
    const [rest] = await query<PersonRest>('count rest of person', restSql, [personId]);
    if (!rest) throw new Error('the counts gave no row');
    return rest;
  }
}
