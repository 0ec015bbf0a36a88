import { pastTime, type PurchaseReply, type PurchaseRequest } from '#contracts';
import { type ChangeContext } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { invalidField } from '../errors.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { Lot } from '../ledger/lots/lot.entity.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { NoticesService } from '../notices/notices.service.js';
import { type PackTerms, termsOf } from './packs.js';
import { isGrantReference, isOrderReference, refuseOther } from './references.js';

/** Purchases of packs. A reference counts once per account, however often it is sent. */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly lots: LotsRepository,
    private readonly lotViews: LotViewsRepository,
    private readonly notices: NoticesService,
  ) {}

  /**
   * Throws `invalid_request` for terms that are not for sale, a date in the future or the reference of a grant or order; `conflict`
   * for a known reference with other content and for more credits than an account may hold; `not_found` without the account.
   */
  async purchase(request: PurchaseRequest, by: ChangeContext = {}): Promise<PurchaseReply> {
    const terms = termsOf(request);
    if (isGrantReference(request.reference) || isOrderReference(request.reference)) {
      throw invalidField('reference', 'reference must not be like those of monthly grants and of orders');
    }
    const work = (locked: LockedAccounts) => this.purchaseLocked(locked, request, terms);
    return this.transactions.run([request.account_id], work, by);
  }

  private async purchaseLocked(
    locked: LockedAccounts,
    request: PurchaseRequest,
    terms: PackTerms,
  ): Promise<PurchaseReply> {
    const { account_id: accountId, reference } = request;
    await this.accounts.requireNotClosed(locked, accountId);
    const stored = await locked.manager.findOneBy(Lot, { accountId, reference });
    if (stored) refuseOtherContent(stored, request, terms);
    const lotId = stored?.id ?? (await this.add(locked, request, terms));
    const lot = await this.lotViews.get(locked, lotId, locked.now);
    if (!stored) {
      await locked.record({ action: 'credits.purchased', account_id: accountId, subject: lotId, after: lot });
    }
    return { created: stored === null, lot };
  }

  private async add(
    locked: LockedAccounts,
    request: PurchaseRequest,
    { credits, priceCents }: PackTerms,
  ): Promise<string> {
    const { account_id: accountId, pack, reference, purchased_at } = request;
    const purchasedAt = purchased_at === undefined ? locked.now : pastTime(purchased_at, locked.now);
    if (purchasedAt === null) {
      throw invalidField('purchased_at', 'purchased_at must not be in the future');
    }
    await this.lots.assertRoom(locked, accountId, credits);
    await this.notices.packAdded(locked, accountId, credits);
    const lot = { accountId, pack, reference, credits, priceCents, purchasedAt: new Date(purchasedAt) };
    return this.lots.insertPurchased(locked, lot);
  }
}

/**
 * Without `purchased_at`, a repetition matches the stored purchase, whatever its time. A day that had not begun in UTC was stored as the
 * time of its purchase.
 */
function refuseOtherContent(stored: Lot, request: PurchaseRequest, terms: PackTerms): void {
  const { purchased_at } = request;
  const isSameTime =
    purchased_at === undefined ||
    pastTime(purchased_at, stored.purchasedAt) === stored.purchasedAt.toISOString();
  refuseOther('a purchase', {
    pack: stored.pack === request.pack,
    credits: stored.credits === terms.credits,
    price_cents: stored.priceCents === terms.priceCents,
    purchased_at: isSameTime,
  });
}
