import { type AgreementRequest, type AgreementView, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts, withLockedAccounts } from '../database/locked-accounts.js';
import { enterpriseTerms } from '../purchases/packs.js';
import { type AgreementRow, endAgreementAt, findRunning, insertAgreement } from './agreements.repository.js';
import { grantDue } from './grant-due.js';

/** An agreement that began earlier would grant, at once, months in which nobody could have called. */
const startsBeforeNowMsMax = 31 * 24 * 3_600_000;

/** Monthly Enterprise grants (spec 2.4): one running agreement an account. */
@Injectable()
export class AgreementsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Starts an agreement and grants at once what is due already: every due date since a start in the past, which is at most
   * 31 days ago. Throws `invalid_request` for terms outside the Enterprise pack or an older start, `conflict` when one is
   * running, `not_found` without the account.
   */
  async start(request: AgreementRequest, remainingMs?: RemainingMs): Promise<AgreementView> {
    const terms = enterpriseTerms(request.credits, request.price_cents);
    if (!terms.ok) {
      throw new ServiceError('invalid_request', 'The agreement is not possible on these terms.', {
        details: terms.details,
      });
    }
    return withLockedAccounts(
      this.dataSource,
      [request.account_id],
      (locked) => startLocked(locked, request, terms),
      { remainingMs },
    );
  }

  /** Stops the next grant; what was granted stays. Throws `not_found` without a running agreement. */
  end(accountId: string, remainingMs?: RemainingMs): Promise<AgreementView> {
    return withLockedAccounts(this.dataSource, [accountId], (locked) => endLocked(locked, accountId), {
      remainingMs,
    });
  }
}

async function startLocked(
  locked: LockedAccounts,
  request: AgreementRequest,
  terms: { readonly credits: number; readonly priceCents: number },
): Promise<AgreementView> {
  const { account_id: accountId } = request;
  if (!locked.accountIds.has(accountId)) throw noSuchAccount();
  if (await findRunning(locked.query, accountId)) {
    throw new ServiceError(
      'conflict',
      'The account has a running agreement; end it before you start another.',
    );
  }
  const startsAt = startOf(request, locked);
  await insertAgreement(locked.query, { id: uuidv7(), accountId, ...terms, startsAt }, locked.now);
  await grantDue(locked, await running(locked, accountId));
  return toView(await running(locked, accountId));
}

async function endLocked(locked: LockedAccounts, accountId: string): Promise<AgreementView> {
  const agreement = await findRunning(locked.query, accountId);
  if (!agreement) throw new ServiceError('not_found', 'The account has no running agreement.');
  await grantDue(locked, agreement);
  await endAgreementAt(locked.query, agreement.id, locked.now);
  return toView({ ...agreement, ended_at: locked.now, next_due_at: null });
}

async function running({ query }: LockedAccounts, accountId: string): Promise<AgreementRow> {
  const agreement = await findRunning(query, accountId);
  if (!agreement) throw new Error('an agreement that was just started is gone');
  return agreement;
}

function startOf({ starts_at }: AgreementRequest, { now }: LockedAccounts): Date {
  const startsAt = starts_at === undefined ? now : new Date(starts_at);
  if (now.getTime() - startsAt.getTime() > startsBeforeNowMsMax) {
    throw new ServiceError('invalid_request', 'The agreement began too long ago.', {
      details: { starts_at: ['starts_at must not be more than 31 days ago'] },
    });
  }
  return startsAt;
}

function toView(row: AgreementRow): AgreementView {
  return {
    id: row.id,
    credits: row.credits,
    price_cents: Number(row.price_cents),
    starts_at: row.starts_at.toISOString(),
    next_due_at: row.next_due_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
