import { type AdjustmentRequest } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { randomUUID } from 'node:crypto';
import { dayMs } from '../../durations.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { AgreementsService } from '../../credits/agreements.service.js';
import { LotRefundsService } from '../../credits/lot-refunds.service.js';
import { PurchasesService } from '../../credits/purchases.service.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.js';
import { type Customer, type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../../ledger/lots/expired-lots.step.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { RecoverableCreditsStep } from '../../orders/recoverable-credits.step.js';
import { type Shop } from '../../orders/shop.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';

const days = 40;
const customers = 20;
const callsPerDay = 30;
const firstNoon = Date.UTC(2026, 0, 1, 12);

type Numbers = (below: number) => number;

export function pickFrom<Item>(items: readonly Item[], random: Numbers): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

/** Forty days of calls, purchases, adjustments and refunds, orders in every state, and an account with one pending charge. */
export async function keepBooks(shop: Shop, random: Numbers): Promise<void> {
  const { ledger } = shop;
  await keepCalls(ledger, random);
  await keepOrders(shop);
  const customer = await ledger.customer(10);
  await customer.charge(ledger.replicas[0], 3);
  await ledger.factory.lot({ accountId: customer.accountId, credits: 10 });
}

async function keepCalls(ledger: LedgerFixture, random: Numbers): Promise<void> {
  await ledger.factory.setClock(new Date(firstNoon - 3_600_000));
  const everybody: Customer[] = [];
  for (let number = 0; number < customers; number++) everybody.push(await ledger.customer(50));
  for (const { accountId: account_id } of everybody.slice(0, 3)) {
    await ledger.get(AgreementsService).start({ account_id, credits: 10_000, price_cents: 180_000 });
  }
  for (const { accountId: account_id, keyId: key_id } of everybody.slice(3, 9)) {
    await ledger.get(ApiKeysService).update({ account_id, key_id, monthly_limit: 100 });
  }
  const sweep = new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, [
    ledger.get(OverdueChargesStep),
    ledger.get(RecoverableCreditsStep),
    ledger.get(ExpiredLotsStep),
  ]);
  for (let day = 0; day < days; day++) {
    await doBusiness(ledger, firstNoon + day * dayMs, everybody, random);
    if (day % 2 === 0) await sweep.sweep();
  }
  // Nothing is overdue at the end, as nothing is where the sweep runs.
  await sweep.sweep();
}

/** One day: calls just before noon, their outcomes at noon; lots expire at noon as well. */
async function doBusiness(
  ledger: LedgerFixture,
  noon: number,
  everybody: readonly Customer[],
  random: Numbers,
): Promise<void> {
  const [service] = ledger.replicas;
  await ledger.factory.setClock(new Date(noon - 10_000));
  const calls = Array.from({ length: callsPerDay }, () => ({
    customer: pickFrom(everybody, random),
    id: randomUUID(),
  }));
  await Promise.all(calls.map(({ customer, id }) => customer.charge(service, random(9), id)));
  await ledger.factory.setClock(new Date(noon));
  const settled = calls.map(({ customer, id }) => ({ customer, id, outcome: random(100) }));
  await Promise.all(
    settled
      .filter(({ outcome }) => outcome < 80)
      .map(({ customer, id, outcome }) => customer.settle(service, id, outcome < 55 ? 'posted' : 'voided')),
  );
  for (const { accountId: account_id } of everybody) {
    const request = { account_id, reference: `${account_id} ${noon}` };
    const pack = pickFrom(['trial', 'trial', 'builder'] as const, random);
    const adjustment = { ...request, credits: pickFrom([-3, -1, 2, 5], random), reason: 'test' };
    const chance = random(100);
    if (chance < 8) await ledger.get(PurchasesService).purchase({ ...request, pack });
    else if (chance < 16) await adjustIfPossible(ledger, adjustment);
    else if (chance < 18) await refundNewestLot(ledger, request);
  }
}

/** Nothing is refunded twice, or once it has expired. */
async function refundNewestLot(
  ledger: LedgerFixture,
  { account_id, reference }: { account_id: string; reference: string },
): Promise<void> {
  const [lot] = await ledger.query<{ id: string }>(
    `SELECT id FROM lots WHERE account_id = $1 AND expires_at > ledger_now() AND id NOT IN (SELECT lot_id FROM lot_refunds)
     ORDER BY purchased_at DESC, id LIMIT 1`,
    [account_id],
  );
  const refund = { account_id, lot_id: lot?.id ?? '', reason: 'test', reference };
  if (lot) await ledger.get(LotRefundsService).refund(refund);
}

/** A correction of more than the balance is refused. */
async function adjustIfPossible(ledger: LedgerFixture, request: AdjustmentRequest): Promise<void> {
  await ledger
    .get(AdjustmentsService)
    .adjust(request)
    .catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'conflict' });
    });
}

/**
 * Orders of one account: with all of their credits, with a fifth or all of them returned, with some that were spent, with tax
 * and a discount, free, in review and refunded.
 */
async function keepOrders(shop: Shop): Promise<void> {
  const { ledger, standIn } = shop;
  const { payments, records, returns } = standIn;
  const account = await ledger.customer(0);
  const start = () => shop.started(account.accountId);
  const [whole, fifth, spent, expired] = [await start(), await start(), await start(), await start()];
  const [taxed, free, differing, refunded] = [await start(), await start(), await start(), await start()];
  await start();
  for (const { sessionId } of [differing, refunded]) {
    Object.assign(records.session(sessionId), { amount_subtotal: 1_900, amount_total: 1_900 });
  }
  for (const { sessionId } of [whole, fifth, spent, differing, refunded]) payments.pay(sessionId, 'card');
  payments.pay(taxed.sessionId, 'card', { taxPercent: 19, discountPercent: 20 });
  payments.pay(free.sessionId, 'card', { discountPercent: 100 });
  let now = firstNoon + (days - 1) * dayMs;
  for (const order of [whole, fifth, spent, taxed, free]) {
    // The lots are spent in this order.
    await ledger.factory.setClock(new Date((now += 1_000)));
    await shop.comeBack(order);
  }
  payments.expire(expired.sessionId);
  await account.charge(ledger.replica(0), 1_100);
  returns.refund(shop.intentOf(fifth), 2_980);
  returns.refund(shop.intentOf(spent));
  returns.refund(shop.intentOf(taxed), 7_093);
  returns.refund(shop.intentOf(differing), 900);
  returns.refund(shop.intentOf(refunded));
  const won = returns.dispute(shop.intentOf(whole));
  await shop.deliverAll();
  returns.closeDispute(won.id, 'won');
  await shop.deliverAll();
}
