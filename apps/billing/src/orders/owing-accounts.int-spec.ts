import { createHash, randomUUID } from 'node:crypto';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import { type Customer } from '../ledger/ledger.fixture.js';
import { SessionsService } from '../people/sessions/sessions.service.js';
import { OrderDecisionsService } from './operators/order-decisions.service.js';
import { RecoverableCreditsStep } from './recoverable-credits.step.js';
import { type Shop, type Started, useShop } from './shop.fixture.js';

interface Buyer {
  readonly order: Started & { readonly intentId: string };
  readonly customer: Customer;
  readonly keyHash: string;
}

/** Has bought 500 credits and spent 200 of them, 100 of which are pending. */
async function buyer(shop: Shop): Promise<Buyer & { readonly pending: string }> {
  const order = await shop.granted();
  const customer = await shop.customerOf(order);
  const [{ hash } = { hash: '' }] = await shop.ledger.query<{ hash: string }>(
    'SELECT hash FROM api_keys WHERE id = $1',
    [customer.keyId],
  );
  const spent = await customer.charge(shop.ledger.replicas[0], 100);
  await customer.settle(shop.ledger.replicas[0], spent.id, 'posted');
  const { id: pending } = await customer.charge(shop.ledger.replicas[0], 100);
  return { order, customer, keyHash: hash, pending };
}

/** The bank takes the money back and decides so. */
async function lose(shop: Shop, { intentId }: Buyer['order']): Promise<void> {
  const { id } = shop.standIn.returns.dispute(intentId);
  await shop.deliverAll();
  shop.standIn.returns.closeDispute(id, 'lost');
  await shop.deliverAll();
}

async function outcomes(shop: Shop, { customer, keyHash }: Buyer): Promise<unknown[]> {
  const charges = shop.ledger.replicas.map((replica) => customer.charge(replica, 1));
  const [key] = await shop.ledger.get(ApiKeysService).authenticate([keyHash]);
  return [...(await Promise.all(charges)).map(({ reply }) => reply.outcome), key?.is_stopped ?? false];
}

const refused = ['key_revoked', 'key_revoked', true];
const allowed = ['charged', 'charged', false];

/** Credits besides those of the order, of which nothing can be taken back. */
const others = (shop: Shop, { accountId }: Started) => shop.ledger.factory.lot({ accountId, credits: 1_000 });

describe('where accounts are stopped after a lost dispute', () => {
  const shop = useShop({ refusesOwing: true });

  it('the keys of one whose credits are missing are refused, and nothing is taken', async () => {
    const one = await buyer(shop);
    await others(shop, one.order);
    const { id } = shop.standIn.returns.dispute(one.order.intentId);
    await shop.deliverAll();
    expect(await outcomes(shop, one)).toEqual(allowed);
    shop.standIn.returns.closeDispute(id, 'lost');
    await shop.deliverAll();
    const before = await shop.ledger.balance(one.order.accountId);
    expect(await outcomes(shop, one)).toEqual(refused);
    expect(await shop.ledger.balance(one.order.accountId)).toBe(before);
  });

  it('one that has spent nothing owes nothing', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    await others(shop, order);
    await lose(shop, order);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply).toMatchObject({ outcome: 'charged' });
  });

  it('goes on when an operator accepts the loss, until the next one', async () => {
    const one = await buyer(shop);
    await others(shop, one.order);
    await lose(shop, one.order);
    await shop.ledger.get(OrderDecisionsService).accept(one.order.orderId);
    await shop.deliverAll();
    expect(await outcomes(shop, one)).toEqual(allowed);
  });

  it('what an operator has accepted while the dispute was under way counts again when it is lost', async () => {
    const one = await buyer(shop);
    await others(shop, one.order);
    const { id } = shop.standIn.returns.dispute(one.order.intentId);
    await shop.deliverAll();
    await shop.ledger.get(OrderDecisionsService).accept(one.order.orderId);
    shop.standIn.returns.closeDispute(id, 'lost');
    await shop.deliverAll();
    expect(await outcomes(shop, one)).toEqual(refused);
  });

  it('goes on when it buys again, and stops at the next loss', async () => {
    const one = await buyer(shop);
    await lose(shop, one.order);
    expect(await outcomes(shop, one)).toEqual(refused);
    const again = await shop.start(one.order.accountId);
    shop.standIn.payments.pay(again.sessionId, 'card');
    await shop.deliverAll();
    expect(await outcomes(shop, one)).toEqual(allowed);
    await lose(shop, { ...again, intentId: shop.intentOf(again) });
    expect(await outcomes(shop, one)).toEqual(refused);
  });

  it('goes on once the missing credits have been recovered', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    const { id } = await customer.charge(shop.ledger.replicas[0], 100);
    await others(shop, order);
    await lose(shop, order);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply.outcome).toBe('key_revoked');
    await customer.settle(shop.ledger.replicas[0], id, 'voided');
    await shop.ledger.get(RecoverableCreditsStep).run(100);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply.outcome).toBe('charged');
  });

  it('stops no other account, and its pages say that it is stopped', async () => {
    const [one, other] = [await buyer(shop), await buyer(shop)];
    await lose(shop, one.order);
    expect(await outcomes(shop, other)).toEqual(allowed);
    const shown = async ({ order: { accountId } }: Buyer) => {
      const personId = await shop.ledger.factory.member(accountId, `${randomUUID()}@site.example`, 'owner');
      const tokenHash = createHash('sha256').update(accountId).digest('hex');
      const session = {
        id: randomUUID(),
        tokenHash,
        personId,
        accountId,
        network: '192.0.2.1',
        userAgent: '',
        method: null,
        isAddressProven: true,
      };
      return shop.ledger.transactions.run([accountId], (locked) =>
        shop.ledger.get(SessionsService).open(locked, session),
      );
    };
    expect(await shown(one)).toMatchObject({ account: { is_stopped: true } });
    expect((await shown(other)).account).not.toHaveProperty('is_stopped');
  });
});

describe('where they are not', () => {
  const shop = useShop();

  it('a lost dispute changes nothing, and turning it on later stops who owes already', async () => {
    const one = await buyer(shop);
    await others(shop, one.order);
    await lose(shop, one.order);
    expect(await outcomes(shop, one)).toEqual(allowed);
    const [account] = await shop.ledger.query<{ owes: boolean }>(
      'SELECT owes_since IS NOT NULL AS owes FROM accounts WHERE id = $1',
      [one.order.accountId],
    );
    expect(account).toEqual({ owes: true });
  });
});
