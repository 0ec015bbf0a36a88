import type Stripe from 'stripe';
import { control, payByCard, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const pay = (): Promise<string> => payByCard({ standIn, stripe });

/** What events of such a type tell, oldest first. */
async function reported(type: string): Promise<Stripe.Event.Data.Object[]> {
  const { data } = await stripe.events.list({ type, limit: 100 });
  return data.map((event) => event.data.object).toReversed();
}

describe('an early fraud warning', () => {
  const warn = (intent: string): Promise<unknown> => control(standIn, `/payments/${intent}/fraud-warning`);

  it('is reported for a payment that can still be refunded', async () => {
    const intent = await pay();
    await warn(intent);
    expect(await reported('radar.early_fraud_warning.created')).toMatchObject([
      {
        id: expect.stringMatching(/^issfr_/) as string,
        object: 'radar.early_fraud_warning',
        actionable: true,
        charge: expect.stringMatching(/^ch_/) as string,
        fraud_type: 'unauthorized_use_of_card',
        livemode: false,
        payment_intent: intent,
      },
    ]);
  });

  it.each([
    ['refunded', (intent: string) => void standIn.returns.refund(intent)],
    ['disputed', (intent: string) => void standIn.returns.dispute(intent)],
  ])('is not actionable once that is %s', async (_what, happen) => {
    const intent = await pay();
    await warn(intent);
    happen(intent);
    expect(await reported('radar.early_fraud_warning.updated')).toMatchObject([{ actionable: false }]);
  });

  it('remains actionable after a refund of a part, and is again when the refund fails', async () => {
    const intent = await pay();
    await warn(intent);
    standIn.returns.refund(intent, 900);
    expect(await reported('radar.early_fraud_warning.updated')).toEqual([]);
    standIn.returns.failRefund(standIn.returns.refund(intent).id);
    expect(await reported('radar.early_fraud_warning.updated')).toMatchObject([
      { actionable: false },
      { actionable: true },
    ]);
  });
});

describe('a dispute', () => {
  const amountsOf = ({ balance_transactions }: Stripe.Dispute): [number, string][] =>
    balance_transactions.map(({ amount, currency }) => [amount, currency]);

  it('may be in another currency than the payment, whose currency the shop loses', async () => {
    const intent = await pay();
    await control(standIn, `/payments/${intent}/dispute`, { amount: '13700', currency: 'eur' });
    const [dispute] = (await stripe.disputes.list({ payment_intent: intent })).data;
    expect(dispute).toMatchObject({ amount: 13_700, currency: 'eur', status: 'needs_response' });
    expect(dispute && amountsOf(dispute)).toEqual([[-14_900, 'usd']]);
    const other = standIn.returns.dispute(await pay(), { amount: 6_000, currency: 'eur', withdrawn: 6_612 });
    expect(amountsOf(await stripe.disputes.close(other.id))).toEqual([[-6_612, 'usd']]);
  });

  it('may be of a part, and another one of a further part', async () => {
    const intent = await pay();
    const first = standIn.returns.dispute(intent, { amount: 4_900 });
    expect(() => standIn.returns.dispute(intent)).toThrow('disputed already');
    await control(standIn, `/payments/${intent}/dispute`, { amount: '5000', further: 'true' });
    standIn.returns.closeDispute(first.id, 'won');
    const { data } = await stripe.disputes.list({ payment_intent: intent });
    expect(data.map(amountsOf)).toEqual([
      [[-5_000, 'usd']],
      [
        [-4_900, 'usd'],
        [4_900, 'usd'],
      ],
    ]);
  });

  it('is under review once the shop has responded', async () => {
    const { id } = standIn.returns.dispute(await pay());
    await control(standIn, `/disputes/${id}/respond`);
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'under_review' });
    standIn.returns.closeDispute(id, 'won');
    expect(() => standIn.returns.respond(id)).toThrow('closed already');
    expect(await reported('charge.dispute.updated')).toMatchObject([{ id, status: 'under_review' }]);
  });

  it('that began as an inquiry takes the money when it is escalated', async () => {
    const { id } = standIn.returns.dispute(await pay(), { isInquiry: true });
    standIn.returns.respond(id);
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'warning_under_review',
      balance_transactions: [],
      is_charge_refundable: true,
    });
    await control(standIn, `/disputes/${id}/escalate`);
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'needs_response',
      balance_transactions: [{ amount: -14_900 }],
      is_charge_refundable: false,
    });
    expect(await reported('charge.dispute.funds_withdrawn')).toHaveLength(1);
    expect(() => standIn.returns.escalate(id)).toThrow('no inquiry');
  });
});

describe('many refunds at once', () => {
  it('may be of one payment', async () => {
    const intent = await pay();
    await control(standIn, `/payments/${intent}/refund`, { parts: '20' });
    const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
    expect(data).toHaveLength(20);
    expect(data.reduce((sum, { amount }) => sum + amount, 0)).toBe(14_900);
    expect(await reported('charge.refunded')).toHaveLength(20);
  });

  it('may be of all payments, without those that banks have taken back', async () => {
    const [first, disputed] = [await pay(), await pay(), await pay()];
    standIn.returns.refund(first, 900);
    standIn.returns.dispute(disputed);
    expect(await control(standIn, '/refund-all')).toEqual({ refunded: 2 });
    const { data } = await stripe.refunds.list();
    expect(data.map(({ amount }) => amount)).toEqual([14_900, 14_000, 900]);
    expect(await control(standIn, '/refund-all')).toEqual({ refunded: 0 });
  });
});
