import { AuditService } from '../reports/audit/audit.service.js';
import { Customer } from '../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.step.js';
import { RecoverableCreditsStep } from './recoverable-credits.step.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();
const start = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const at = (ms: number): Promise<void> => shop.ledger.factory.setClock(new Date(start + ms));

/** A buyer of 500 credits for $149. */
async function bought() {
  await at(0);
  const order = await shop.granted('builder');
  const keyId = await shop.ledger.factory.key(order.accountId);
  const customer = new Customer(order.accountId, keyId);
  const spend = async (credits: number): Promise<string> => {
    return (await customer.charge(shop.ledger.replicas[0], credits)).id;
  };
  const end = (id: string, outcome: 'posted' | 'voided') =>
    customer.settle(shop.ledger.replicas[1], id, outcome);
  return { order, spend, end, balance: () => shop.ledger.balance(order.accountId) };
}

describe('a refund', () => {
  it('takes back as many credits as it has bought, each part once', async () => {
    const { order, balance } = await bought();
    shop.standIn.returns.refund(order.intentId, 2_980);
    await shop.tellAll();
    await shop.tellAll();
    expect(await balance()).toBe(400);
    shop.standIn.returns.refund(order.intentId);
    await shop.tellAll();
    expect(await balance()).toBe(0);
    expect(await shop.comeBack(order)).toMatchObject({
      state: 'granted',
      returned_cents: 14_900,
      credits_taken_back: 500,
      credits_not_recovered: 0,
    });
    expect(await shop.adjustments(order.accountId)).toEqual([
      { credits: -100, reference: `refund:${order.orderId}:1` },
      { credits: -400, reference: `refund:${order.orderId}:2` },
    ]);
  });

  it('takes from the lot of its own order alone, and notes what was spent', async () => {
    const { order, spend, end, balance } = await bought();
    await end(await spend(450), 'posted');
    await at(dayMs);
    await shop.ledger.factory.lot({ accountId: order.accountId, credits: 1_000 });
    shop.standIn.returns.refund(order.intentId, 7_450);
    await shop.tellAll();
    expect(await balance()).toBe(1_000);
    expect(await shop.order(order)).toMatchObject({
      returnedCents: 7_450,
      creditsTakenBack: 50,
      creditsNotRecovered: 200,
    });
  });

  it('gives the credits back when it fails', async () => {
    const { order, balance } = await bought();
    const { id } = shop.standIn.returns.refund(order.intentId, 7_450);
    await shop.tellAll();
    expect(await balance()).toBe(250);
    shop.standIn.returns.failRefund(id);
    await shop.tellAll();
    expect(await balance()).toBe(500);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 0, creditsTakenBack: 0 });
  });

  it('of an expired lot takes nothing, and gives nothing back', async () => {
    const { order } = await bought();
    await at(30 * dayMs);
    await shop.ledger.get(ExpiredLotsStep).run(100);
    const { id } = shop.standIn.returns.refund(order.intentId);
    await shop.tellAll();
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 0, creditsNotRecovered: 500 });
    shop.standIn.returns.failRefund(id);
    await shop.tellAll();
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 0, creditsNotRecovered: 0 });
  });

  it('that was made before the order was granted leaves both in the ledger', async () => {
    const started = await shop.started();
    shop.standIn.payments.pay(started.sessionId, 'card');
    shop.standIn.returns.refund(shop.intentOf(started));
    await shop.tellAll();
    const entries = await shop.ledger.query('SELECT type, credits FROM ledger_entries ORDER BY id');
    expect(entries).toEqual([
      { type: 'purchase', credits: 500 },
      { type: 'adjustment', credits: -500 },
    ]);
  });
});

describe('credits that were in a charge when their money went back', () => {
  it('are taken once the charge is voided', async () => {
    const { order, spend, end, balance } = await bought();
    const charge = await spend(300);
    shop.standIn.returns.refund(order.intentId);
    await shop.tellAll();
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 200, creditsNotRecovered: 300 });
    await end(charge, 'voided');
    expect(await balance()).toBe(300);
    const step = shop.ledger.get(RecoverableCreditsStep);
    expect(await step.run(100)).toBe(1);
    expect(await step.run(100)).toBe(0);
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 500, creditsNotRecovered: 0 });
  });

  it('are taken at once when the charge has timed out, swept or not', async () => {
    const { order, spend, balance } = await bought();
    await spend(300);
    await at(60_000);
    shop.standIn.returns.refund(order.intentId);
    await shop.tellAll();
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 500, creditsNotRecovered: 0 });
  });

  it('stay with the buyer when they expire first', async () => {
    const { order, spend, balance } = await bought();
    await at(30 * dayMs - 1_000);
    await spend(300);
    shop.standIn.returns.refund(order.intentId);
    await shop.tellAll();
    await at(30 * dayMs + 60_000);
    await shop.ledger.get(OverdueChargesStep).run(100);
    expect(await shop.ledger.get(RecoverableCreditsStep).run(100)).toBe(0);
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 200, creditsNotRecovered: 300 });
  });
});

describe('a dispute', () => {
  it('takes the credits when the bank takes the money, and gives them back when it is won', async () => {
    const { order, spend, end, balance } = await bought();
    await end(await spend(100), 'posted');
    const { id } = shop.standIn.returns.dispute(order.intentId);
    await shop.tellAll();
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 400, creditsNotRecovered: 100 });
    shop.standIn.returns.closeDispute(id, 'won');
    await shop.tellAll();
    expect(await balance()).toBe(400);
    expect(await shop.order(order)).toMatchObject({
      returnedCents: 0,
      creditsTakenBack: 0,
      creditsNotRecovered: 0,
    });
    const adjustments = await shop.adjustments(order.accountId);
    expect(adjustments.map(({ credits }) => credits)).toEqual([-400, 400]);
  });

  it('that is lost after a partial refund takes no more than was bought', async () => {
    const { order, balance } = await bought();
    shop.standIn.returns.refund(order.intentId, 4_900);
    const { id } = shop.standIn.returns.dispute(order.intentId, { amount: 14_900 });
    shop.standIn.returns.closeDispute(id, 'lost');
    await shop.tellAll();
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 14_900, creditsTakenBack: 500 });
  });

  it('that is won after the lot has expired gives nothing back, and the audit accepts that', async () => {
    const { order, balance } = await bought();
    const { id } = shop.standIn.returns.dispute(order.intentId);
    await shop.tellAll();
    await at(30 * dayMs);
    shop.standIn.returns.closeDispute(id, 'won');
    await shop.tellAll();
    expect(await balance()).toBe(0);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 0, creditsTakenBack: 500 });
    expect((await shop.ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  });

  it('that is only an inquiry takes nothing', async () => {
    const { order, balance } = await bought();
    const { id } = shop.standIn.returns.dispute(order.intentId, { isInquiry: true });
    await shop.tellAll();
    expect(await balance()).toBe(500);
    shop.standIn.returns.closeDispute(id, 'lost');
    await shop.tellAll();
    expect(await balance()).toBe(500);
  });
});
