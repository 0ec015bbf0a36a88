import { type RefundLotReply, type RefundLotRequest } from '#contracts';
import { type ChangeContext } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { conflict, notFound } from '../errors.js';
import { noSuchAccount } from '../accounts/accounts.repository.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { Lot } from '../ledger/lots/lot.entity.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { isExpired } from '../ledger/rules/allocate.js';
import { LotRefund } from './credits.entity.js';
import { AdjustmentsService } from './adjustments.service.js';
import { orderOfLot, refuseOther } from './references.js';

/** Refunds of lots that were not bought by card: the remaining credits of that lot are taken back, once. No money moves here. */
@Injectable()
export class LotRefundsService {
  constructor(
    private readonly overdue: OverdueCharges,
    private readonly lots: LotsRepository,
    private readonly lotViews: LotViewsRepository,
    private readonly adjustments: AdjustmentsService,
  ) {}

  /** Throws as `refundLot` says. */
  refund(request: RefundLotRequest, by: ChangeContext = {}): Promise<RefundLotReply> {
    const refund = (locked: LockedAccounts) => this.refundLocked(locked, request);
    return this.overdue.runWithAllVoided(request.account_id, refund, by);
  }

  /** Takes what voided charges have returned to refunded lots of the locked accounts; returns from how many lots. */
  async recover(locked: LockedAccounts): Promise<number> {
    let recovered = 0;
    const refunds = await locked.manager.find(LotRefund, {
      where: { accountId: In([...locked.accountIds]), creditsNotRecovered: MoreThan(0) },
      order: { createdAt: 'ASC' },
    });
    for (const refund of refunds) {
      if (await this.settle(locked, refund, await this.lots.get(locked, refund.lotId))) recovered += 1;
    }
    return recovered;
  }

  private async refundLocked(locked: LockedAccounts, request: RefundLotRequest): Promise<RefundLotReply> {
    const { account_id: accountId, lot_id: lotId, reference } = request;
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const known = await locked.manager.findOneBy(LotRefund, { accountId, reference });
    if (known) {
      refuseOther('a refund', { lot_id: known.lotId === lotId, reason: known.reason === request.reason });
    }
    if (!known) await this.store(locked, request);
    const lot = await this.lotViews.get(locked, lotId, locked.now);
    return { created: known === null, lot };
  }

  private async store(locked: LockedAccounts, request: RefundLotRequest): Promise<void> {
    const { account_id: accountId, lot_id: lotId, reason, reference } = request;
    const lot = await locked.manager.findOneBy(Lot, { id: lotId, accountId });
    if (!lot) throw notFound('There is no lot with this id in the account.');
    const before = await this.lotViews.get(locked, lotId, locked.now);
    refuseUnlessRefundable(lot, await locked.manager.findOneBy(LotRefund, { lotId }), locked.now);
    const credits = { creditsTakenBack: 0, creditsNotRecovered: lot.credits };
    const refund = { accountId, lotId, reason, reference, ...credits, createdAt: locked.now };
    await locked.manager.insert(LotRefund, refund);
    await this.settle(locked, refund, lot);
    const after = await this.lotViews.get(locked, lotId, locked.now);
    await locked.record({ action: 'lot.refunded', account_id: accountId, subject: lotId, before, after });
  }

  /** Takes the credits that are owed as far as the lot has them; returns whether credits moved. Overdue charges must have been voided. */
  private async settle(
    locked: LockedAccounts,
    { creditsTakenBack, reason }: Pick<LotRefund, 'creditsTakenBack' | 'reason'>,
    lot: Lot,
  ): Promise<boolean> {
    const money = { owed: lot.credits, creditsTakenBack, orderId: null, reason };
    const { change, ...plan } = await this.adjustments.followMoney(locked, lot, money);
    if (change !== 0) await locked.manager.update(LotRefund, { lotId: lot.id }, plan);
    return change !== 0;
  }
}

function refuseUnlessRefundable(lot: Lot, refund: LotRefund | null, now: Date): void {
  if (refund) throw conflict(`This lot was refunded already, under the reference ${refund.reference}.`);
  const orderId = orderOfLot(lot.reference);
  if (orderId !== null) {
    throw conflict(
      `This lot was bought by card: refund its order instead (orders refund ${orderId}), which returns the money too.`,
    );
  }
  if (isExpired(lot, now)) throw conflict('This lot has expired: nothing is left to take back.');
}
