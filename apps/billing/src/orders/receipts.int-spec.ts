import { type Started, useShop } from './shop.fixture.js';

const shop = useShop();
const start = Date.parse('2026-03-01T12:00:00Z');
const hourMs = 3_600_000;

/** An order of an account that is notified of payments by webhook. */
async function started(): Promise<Started> {
  await shop.ledger.factory.setClock(new Date(start));
  const order = await shop.started();
  await shop.ledger.query(
    `INSERT INTO notice_settings (account_id, webhook_url, webhook_secret, balance_checked_at)
     VALUES ($1, 'https://hooks.example/', 'whsec_', to_timestamp(0))`,
    [order.accountId],
  );
  return order;
}

/** What the outbox has for the account: kind, order and number of deliveries of each notice. */
function notices({ accountId }: Started): Promise<object[]> {
  return shop.ledger.query(
    `SELECT kind, subject, data, (SELECT count(*)::integer FROM deliveries WHERE notice_id = notices.id) AS deliveries
     FROM notices WHERE account_id = $1`,
    [accountId],
  );
}

/** Whatever fires this trigger fails, until the returned function is called. */
async function failOn(trigger: string): Promise<() => Promise<unknown>> {
  await shop.ledger.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the disk is full'; END $$`,
  );
  await shop.ledger.query(`CREATE ${trigger} FOR EACH ROW EXECUTE FUNCTION refuse()`);
  return () => shop.ledger.query('DROP FUNCTION refuse CASCADE');
}

describe('a payment', () => {
  it('is notified once for its order, however often its grant is requested', async () => {
    const order = await started();
    shop.standIn.payments.pay(order.sessionId, 'card');
    await shop.ledger.factory.setClock(new Date(start + hourMs));
    const everybody = () => [
      ...shop.events.toReversed().map((event, replica) => shop.deliver(event, replica)),
      ...[0, 1].map((replica) => shop.comeBack(order, replica)),
      ...[0, 1].map((replica) => shop.reconcile(replica)),
    ];
    await Promise.all([...everybody(), ...everybody()]);
    await Promise.all(everybody());
    const terms = { pack: 'builder', credits: 500, price_cents: 14_900, total_cents: 14_900, tax_cents: 0 };
    const data = { order_id: order.orderId, ...terms, expires_at: '2026-03-31T13:00:00.000Z' };
    const receipt = { kind: 'payment_received', subject: order.orderId, data, deliveries: 1 };
    expect(await notices(order)).toEqual([receipt]);
    expect(await shop.lots(order.accountId)).toMatchObject([{ credits: 500, remaining: 500 }]);
    const refund = shop.standIn.returns.refund(shop.intentOf(order), 2_980);
    await shop.deliver({ object: 'event', type: 'refund.created', data: { object: refund } });
    expect(await notices(order)).toEqual([receipt]);
  });

  it.each([
    ['order cannot be changed', 'TRIGGER refuse BEFORE UPDATE OF lot_id ON orders'],
    ['notice cannot be written', 'TRIGGER refuse BEFORE INSERT ON deliveries'],
    [
      'transaction cannot be committed',
      'CONSTRAINT TRIGGER refuse AFTER INSERT ON notices DEFERRABLE INITIALLY DEFERRED',
    ],
  ])('is notified if and only if its credits are granted: its %s', async (_what, trigger) => {
    const order = await started();
    shop.standIn.payments.pay(order.sessionId, 'card');
    const undo = await failOn(trigger);
    const event = shop.events.at(-1) ?? {};
    await shop.deliver(event);
    expect(await notices(order)).toEqual([]);
    expect(await shop.lots(order.accountId)).toEqual([]);
    await undo();
    await shop.retry();
    expect(await notices(order)).toMatchObject([{ subject: order.orderId, deliveries: 1 }]);
    expect(await shop.lots(order.accountId)).toMatchObject([{ credits: 500 }]);
  });

  it('that has not arrived yet, or never does, is not notified', async () => {
    const order = await started();
    shop.standIn.payments.pay(order.sessionId, 'delayed');
    await shop.deliverAll();
    shop.standIn.payments.settle(order.sessionId, 'failed');
    await shop.deliverAll();
    expect(await notices(order)).toEqual([]);
  });
});
