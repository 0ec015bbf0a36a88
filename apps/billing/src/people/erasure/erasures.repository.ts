import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Erasure } from './erasure.entity.js';

/** The last erasure of an address counts. */
const addSql = `
  INSERT INTO erasures (email_hash, erased_at, close_accounts) VALUES ($1, $2, $3)
  ON CONFLICT (email_hash) DO UPDATE
    SET erased_at = GREATEST(erasures.erased_at, excluded.erased_at),
      close_accounts = erasures.close_accounts OR excluded.close_accounts`;

const hashOf = (column: string): string => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`;

/**
 * The address behind a hash, unless its person came after $2. Reads whole tables: after a restored backup only, and no index would
 * serve it.
 */
const findAddressSql = `
  SELECT email FROM (
    SELECT email_folded AS email FROM people WHERE created_at <= $2
    UNION SELECT email FROM accounts WHERE created_at <= $2
    UNION SELECT email_folded FROM invitations WHERE created_at <= $2
    UNION SELECT email_folded FROM sign_ins WHERE created_at <= $2
  ) AS held
  WHERE ${hashOf('email')} = $1
    AND NOT EXISTS (SELECT FROM people WHERE email_folded = held.email AND created_at > $2)
  LIMIT 1`;

/** The list of erasures. */
@Injectable()
export class ErasuresRepository {
  async add({ query }: LockedAccounts, { emailHash, erasedAt, closeAccounts }: Erasure): Promise<void> {
    await query('add erasure', addSql, [emailHash, erasedAt, closeAccounts]);
  }

  /** By their hashes, after the given one. */
  page({ manager }: Managed, limit: number, after: string | undefined): Promise<Erasure[]> {
    return manager.find(Erasure, {
      ...(after !== undefined && { where: { emailHash: MoreThan(after) } }),
      order: { emailHash: 'ASC' },
      take: limit,
    });
  }

  /** The address of a person who is held and came no later than `erasedAt`; `null`: there is none. */
  async findAddress({ query }: Queryable, emailHash: string, erasedAt: Date): Promise<string | null> {
    const [row] = await query<{ email: string }>('find address of erasure', findAddressSql, [
      emailHash,
      erasedAt,
    ]);
    return row?.email ?? null;
  }
}
