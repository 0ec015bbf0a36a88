import { type AccountPath, type AgreementRequest, type AgreementView } from '#contracts';
import { type ChangeContext, type Managed, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { conflict, invalidField, notFound } from '../errors.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { NoticesService } from '../notices/notices.service.js';
import { Agreement } from './credits.entity.js';
import { dueDate, enterpriseTerms } from './packs.js';
import { grantReference } from './references.js';

/** An earlier start would grant, at once, months in which the account could not call. */
const startsBeforeNowMsMax = 31 * 24 * 3_600_000;

/** Monthly Enterprise grants: one running agreement per account. */
@Injectable()
export class AgreementsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly lots: LotsRepository,
    private readonly notices: NoticesService,
    private readonly database: TransactionRunner,
  ) {}

  /**
   * Starts an agreement and at once makes the grants due since its start, which may be at most 31 days ago. Throws
   * `invalid_request` for terms outside the Enterprise pack or an older start, `conflict` when one is running,
   * `not_found` without the account.
   */
  async start(request: AgreementRequest, by: ChangeContext = {}): Promise<AgreementView> {
    const { account_id: accountId } = request;
    const { credits, priceCents } = enterpriseTerms(request.credits, request.price_cents);
    const start = async (locked: LockedAccounts): Promise<AgreementView> => {
      await this.accounts.requireNotClosed(locked, accountId);
      if (await this.findRunning(locked, accountId)) {
        throw conflict('The account has a running agreement; end it before you start another.');
      }
      const startsAt = startOf(request, locked);
      const agreement = { id: uuidv7(), accountId, credits, priceCents, startsAt, nextDueAt: startsAt };
      await locked.manager.insert(Agreement, { ...agreement, createdAt: locked.now });
      await this.grantDue(locked, await this.running(locked, accountId));
      const after = toView(await this.running(locked, accountId));
      await locked.record({ action: 'agreement.started', account_id: accountId, subject: after.id, after });
      return after;
    };
    return this.transactions.run([accountId], start, by);
  }

  /** Throws `not_found` without a running agreement. */
  async show({ account_id }: AccountPath): Promise<AgreementView> {
    return toView(await this.running(this.database, account_id));
  }

  /** Stops further grants; credits already granted stay. Throws `not_found` without a running agreement. */
  end({ account_id: accountId }: AccountPath, by: ChangeContext = {}): Promise<AgreementView> {
    const end = async (locked: LockedAccounts): Promise<AgreementView> => {
      const agreement = await this.running(locked, accountId);
      await this.grantDue(locked, agreement);
      const ended = { endedAt: locked.now, nextDueAt: null };
      await locked.manager.update(Agreement, { id: agreement.id }, ended);
      const [before, after] = [toView(agreement), toView({ ...agreement, ...ended })];
      await locked.record({
        action: 'agreement.ended',
        account_id: accountId,
        subject: after.id,
        before,
        after,
      });
      return after;
    };
    return this.transactions.run([accountId], end, by);
  }

  /** Served by `agreements_one_running`. */
  findRunning({ manager }: Managed, accountId: string): Promise<Agreement | null> {
    return manager.findOneBy(Agreement, { accountId, endedAt: IsNull() });
  }

  /**
   * Makes each due grant of an agreement once, also grants that fell due while no replica ran. The lot expires 30
   * days after its grant. Returns the number of grants.
   */
  async grantDue(locked: LockedAccounts, agreement: Agreement): Promise<number> {
    const { id, accountId, credits, priceCents, startsAt } = agreement;
    const terms = { accountId, pack: 'enterprise', credits, priceCents, purchasedAt: locked.now } as const;
    let { grants } = agreement;
    let due = dueDate(startsAt, grants);
    while (due.getTime() <= locked.now.getTime()) {
      await this.lots.insertPurchased(locked, { ...terms, reference: grantReference(id, due) });
      grants += 1;
      due = dueDate(startsAt, grants);
    }
    const granted = grants - agreement.grants;
    if (granted === 0) return 0;
    await locked.manager.update(Agreement, { id: agreement.id }, { grants, nextDueAt: due });
    await this.notices.packAdded(locked, agreement.accountId, agreement.credits);
    return granted;
  }

  private async running(on: Managed, accountId: string): Promise<Agreement> {
    const agreement = await this.findRunning(on, accountId);
    if (!agreement) throw notFound('The account has no running agreement.');
    return agreement;
  }
}

function startOf({ starts_at }: AgreementRequest, { now }: LockedAccounts): Date {
  const startsAt = starts_at === undefined ? now : new Date(starts_at);
  if (now.getTime() - startsAt.getTime() > startsBeforeNowMsMax) {
    throw invalidField('starts_at', 'starts_at must not be more than 31 days ago');
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
