import { Injectable } from '@nestjs/common';
import { AccountTransactions } from '../../database/account-transactions.js';
import { type SweepStep } from '../../schedule/sweep.service.js';
import { addressLockKey } from './people.js';

/** Each is one lock. */
const batchMax = 100;

/** Served by `people_to_check`. A person whose address is locked, because another transaction decides about it, is left for later. */
const lockDueSql = `
  WITH due AS MATERIALIZED (
    SELECT id, email_folded FROM people
    WHERE next_check_at <= $2 ORDER BY next_check_at LIMIT $1
  )
  SELECT id FROM due WHERE pg_try_advisory_xact_lock(${addressLockKey('email_folded')})`;

/** Each served by an index on the person, and `invitations_of_address`. */
const keepSql = `
  UPDATE people SET next_check_at = $2::timestamptz + interval '7 days'
  WHERE id = ANY($1::uuid[]) AND (
    EXISTS (SELECT FROM members WHERE person_id = people.id)
    OR EXISTS (SELECT FROM sessions WHERE person_id = people.id)
    OR EXISTS (SELECT FROM invitations WHERE invitations.email_folded = people.email_folded AND ended_at IS NULL)
    OR EXISTS (SELECT FROM invitations WHERE invited_by = people.id)
    OR EXISTS (SELECT FROM api_keys WHERE created_by = people.id)
    OR EXISTS (SELECT FROM deliveries WHERE person_id = people.id)
  )
  RETURNING id`;

/** With their identities. Foreign keys refuse to delete a person that anything else refers to. */
const deleteSql = `
  DELETE FROM people WHERE id = ANY($1::uuid[]) AND next_check_at <= $2 RETURNING id`;

/** Deletes people that nothing refers to: without memberships, invitations and sessions. */
@Injectable()
export class UnusedPeopleStep implements SweepStep {
  readonly name = 'unused people';

  constructor(private readonly transactions: AccountTransactions) {}

  run(batchSize: number): Promise<number> {
    return this.transactions.run([], async ({ query, now }) => {
      const max = Math.min(batchSize, batchMax);
      const due = await query<{ id: string }>('lock people to check', lockDueSql, [max, now]);
      const ids = due.map(({ id }) => id);
      const kept = await query('keep people', keepSql, [ids, now]);
      const deleted = await query('delete people', deleteSql, [ids, now]);
      return kept.length + deleted.length;
    });
  }
}
