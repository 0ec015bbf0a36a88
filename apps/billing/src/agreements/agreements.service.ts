import { type AgreementRequest, type AgreementView, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { enterpriseTerms } from '../purchases/packs.js';
import { type Agreement } from './agreement.entity.js';
import { AgreementsRepository } from './agreements.repository.js';
import { DueGrants } from './due-grants.js';

type Terms = Pick<Agreement, 'credits' | 'priceCents'>;

/** An earlier start would grant, at once, months in which the account could not call. */
const startsBeforeNowMsMax = 31 * 24 * 3_600_000;

/** Monthly Enterprise grants (spec 2.4): one running agreement per account. */
@Injectable()
export class AgreementsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly agreements: AgreementsRepository,
    private readonly grants: DueGrants,
  ) {}

  /**
   * Starts an agreement and at once makes the grants due since its start, which may be at most 31 days ago. Throws
   * `invalid_request` for terms outside the Enterprise pack or an older start, `conflict` when one is running,
   * `not_found` without the account.
   */
  async start(request: AgreementRequest, remainingMs?: RemainingMs): Promise<AgreementView> {
    const terms = enterpriseTerms(request.credits, request.price_cents);
    if (!terms.ok) {
      throw new ServiceError('invalid_request', 'These terms do not fit the Enterprise pack.', {
        details: terms.details,
      });
    }
    return this.transactions.run([request.account_id], (locked) => this.startLocked(locked, request, terms), {
      remainingMs,
    });
  }

  /** Stops further grants; credits already granted stay. Throws `not_found` without a running agreement. */
  end(accountId: string, remainingMs?: RemainingMs): Promise<AgreementView> {
    return this.transactions.run([accountId], (locked) => this.endLocked(locked, accountId), { remainingMs });
  }

  private async startLocked(
    locked: LockedAccounts,
    request: AgreementRequest,
    { credits, priceCents }: Terms,
  ): Promise<AgreementView> {
    const { account_id: accountId } = request;
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    if (await this.agreements.findRunning(locked, accountId)) {
      throw new ServiceError(
        'conflict',
        'The account has a running agreement; end it before you start another.',
      );
    }
    const terms = { accountId, credits, priceCents, startsAt: startOf(request, locked) };
    await this.agreements.insert(locked, { id: uuidv7(), ...terms, createdAt: locked.now });
    await this.grants.grant(locked, await this.running(locked, accountId));
    return toView(await this.running(locked, accountId));
  }

  private async endLocked(locked: LockedAccounts, accountId: string): Promise<AgreementView> {
    const agreement = await this.agreements.findRunning(locked, accountId);
    if (!agreement) throw new ServiceError('not_found', 'The account has no running agreement.');
    await this.grants.grant(locked, agreement);
    await this.agreements.endAt(locked, agreement.id, locked.now);
    return toView({ ...agreement, endedAt: locked.now, nextDueAt: null });
  }

  private async running(locked: LockedAccounts, accountId: string): Promise<Agreement> {
    const agreement = await this.agreements.findRunning(locked, accountId);
    if (!agreement) throw new Error('the agreement just started is missing');
    return agreement;
  }
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

function toView(agreement: Agreement): AgreementView {
  return {
    id: agreement.id,
    credits: agreement.credits,
    price_cents: agreement.priceCents,
    starts_at: agreement.startsAt.toISOString(),
    next_due_at: agreement.nextDueAt?.toISOString() ?? null,
    ended_at: agreement.endedAt?.toISOString() ?? null,
  };
}
