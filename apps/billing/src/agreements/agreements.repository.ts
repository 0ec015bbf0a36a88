import { type Managed, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Agreement } from './agreement.entity.js';

export type NewAgreement = Pick<
  Agreement,
  'id' | 'accountId' | 'credits' | 'priceCents' | 'startsAt' | 'createdAt'
>;

/** Hand-written: compares with the clock of the database; served by `agreements_due`. */
const dueSql = `
  SELECT account_id FROM agreements
  WHERE ended_at IS NULL AND next_due_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
  ORDER BY next_due_at LIMIT $1`;

/** Agreements; read and written under the lock of their account, except by the sweep's query. */
@Injectable()
export class AgreementsRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** The running agreement of an account; served by `agreements_one_running`. */
  findRunning({ manager }: Managed, accountId: string): Promise<Agreement | null> {
    return manager.findOneBy(Agreement, { accountId, endedAt: IsNull() });
  }

  async insert({ manager }: Managed, agreement: NewAgreement): Promise<void> {
    await manager.insert(Agreement, { ...agreement, nextDueAt: agreement.startsAt });
  }

  async noteGrant({ manager }: Managed, id: string, grants: number, nextDueAt: Date): Promise<void> {
    await manager.update(Agreement, { id }, { grants, nextDueAt });
  }

  async endAt({ manager }: Managed, id: string, endedAt: Date): Promise<void> {
    await manager.update(Agreement, { id }, { endedAt, nextDueAt: null });
  }

  /** Accounts with a grant that is due. */
  async accountsWithDueGrants(limit: number, except: string[]): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ account_id: string }>('select due agreements', dueSql, [limit, except]);
    return rows.map((row) => row.account_id);
  }
}
