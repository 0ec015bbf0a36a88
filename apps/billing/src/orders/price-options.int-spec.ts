import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import { v7 as uuidv7 } from 'uuid';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { OrdersService } from './orders.service.js';
import { sellingThrough } from './shop.fixture.js';

let standIn: StripeStandIn;
beforeAll(async () => {
  standIn = await startStripeStandIn({ taxPercent: 19 });
});
afterAll(() => standIn.stop());

describe('with tax and promotion codes', () => {
  const ledger = useAuditedLedger(() => ({
    ...sellingThrough(standIn),
    automaticTax: true,
    promotionCodes: true,
  }));

  it('Checkout adds the tax and takes codes; the price of the order stays that of the pack', async () => {
    const orders = ledger.get(OrdersService);
    const order_id = uuidv7();
    const { order } = await orders.start({
      account_id: await ledger.factory.account(),
      order_id,
      person_id: uuidv7(),
      pack: 'builder',
      pages_url: 'https://site.example/account',
    });
    expect(order.price_cents).toBe(14_900);
    const sessions = [...standIn.records.sessions.values()];
    const session = sessions.find(({ client_reference_id }) => client_reference_id === order_id);
    expect(session).toMatchObject({ allow_promotion_codes: true, automatic_tax: { enabled: true } });
    expect(standIn.payments.pay(session?.id ?? '', 'card')).toMatchObject({
      amount_subtotal: 14_900,
      amount_total: 17_731,
    });
  });

  it('the pages can say so', () => {
    expect(ledger.get(OrdersService).selling()).toMatchObject({ adds_tax: true });
  });
});
