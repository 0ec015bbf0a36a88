import { type KeyMode } from '#contracts';
import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { monthSql } from '../../ledger/rules/key-budgets.js';
import { overdueSql } from '../../ledger/rules/ledger-state.js';

/**
 * SQL: what a key has spent of its limit in this month, where charges that were not settled in time count as voided; `NULL` without
 * a limit. `key` is the name of `api_keys` in the statement.
 */
export const spentThisMonthSql = (key: string): string => `CASE
  WHEN ${key}.monthly_limit IS NULL THEN NULL
  WHEN ${key}.spent_since < ${monthSql('ledger_now()')} THEN 0
  ELSE ${key}.spent - (
    SELECT COALESCE(sum(charges.credits), 0) FROM charges
    WHERE charges.account_id = ${key}.account_id AND charges.key_id = ${key}.id AND ${overdueSql('charges', '(SELECT ledger_now())')}
      AND charges.created_at >= ${key}.spent_since)
  END::float8`;

/** A private API key. Only a hash of its secret is stored. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  name: string;

  @Column('text')
  hash: string;

  @Column('text')
  prefix: string;

  @Column('text', { default: 'live' })
  mode: KeyMode;

  /** Hash of the secret before the last rotation, which works until `previousValidUntil`. `null`, like the two below: there is none. */
  @Column('text', { name: 'previous_hash', nullable: true })
  previousHash: string | null;

  @Column('text', { name: 'previous_prefix', nullable: true })
  previousPrefix: string | null;

  @Column('timestamp with time zone', { name: 'previous_valid_until', precision: 3, nullable: true })
  previousValidUntil: Date | null;

  /** When the key got its present secret; `null` if it is its first one. */
  @Column('timestamp with time zone', { name: 'rotated_at', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** Credits that it may spend in a calendar month, UTC; `null`, like these: any number. */
  @Column('integer', { name: 'monthly_limit', nullable: true })
  monthlyLimit: number | null;

  /** Credits spent in the month that began at `spentSince`; charges of the key change it in their transactions. */
  @Column('bigint', { nullable: true, transformer: safeInteger })
  spent: number | null;

  @Column('timestamp with time zone', { name: 'spent_since', precision: 3, nullable: true })
  spentSince: Date | null;

  /** Each live key of an account has one of five slots, so that there can be no sixth one. */
  @Column('smallint')
  slot: number;

  @Column('boolean', { default: true })
  active: boolean;

  /** From this instant on it is refused; `null`: never. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Deleted, but kept because charges refer to it. */
  @Column('boolean', { name: 'is_kept', default: false })
  isKept: boolean;

  /** The member who created it; `null`: an operator. */
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** Whether the secret before the last rotation still works. */
  @VirtualColumn('boolean', {
    query: (key) => `SELECT COALESCE(${key}.previous_valid_until > ledger_now(), false)`,
  })
  isPreviousValid: boolean;

  /** What it has spent of its limit in this month; `null`: no limit. */
  @VirtualColumn('double precision', { query: (key) => `SELECT ${spentThisMonthSql(key)}` })
  spentThisMonth: number | null;

  /** The address of the member who created it. */
  @VirtualColumn('text', {
    query: (key) => `SELECT people.email_folded FROM people WHERE people.id = ${key}.created_by`,
  })
  creatorEmail: string | null;

  /** Whether the creator is still a member. */
  @VirtualColumn('boolean', {
    query: (key) =>
      `SELECT EXISTS (SELECT FROM members WHERE members.account_id = ${key}.account_id AND members.person_id = ${key}.created_by)`,
  })
  isCreatorMember: boolean;

  /**
   * The time of the key's newest charge that was not refused and is not archived, served by `charges_of_key`, or of the free calls
   * whose charges have been deleted, served by `free_calls_of_key`; it is stored nowhere else. Refused charges don't count: they are
   * deleted after a minute, and the last use would then go back.
   */
  @VirtualColumn('timestamp with time zone', {
    query: (key) => `SELECT greatest(
      (SELECT max(charges.created_at) FROM charges WHERE charges.key_id = ${key}.id AND state <> 'refused'),
      (SELECT max(last_at) FROM free_calls WHERE free_calls.key_id = ${key}.id))`,
  })
  lastUsedAt: Date | null;
}
