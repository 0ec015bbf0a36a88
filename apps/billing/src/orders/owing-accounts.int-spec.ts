import { createHash, randomUUID } from 'node:crypto';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import { type ComposedBilling } from '../composed-billing.fixture.js';
import { ChargeService } from '../ledger/charges/charge.service.js';
import { type Customer } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { SessionsService } from '../people/sessions/sessions.service.js';
import { OrderDecisionsService } from './operators/order-decisions.service.js';
import { RecoverableCreditsStep } from './recoverable-credits.step.js';
import { type Granted, type Started, useShop } from './shop.fixture.js';

const shop = useShop({ refusesOwing: true });

interface Buyer {
  readonly order: Granted;
  readonly customer: Customer;
  readonly keyHash: string;
}

/**
 * Has bought 500 credits and spent 200 of them, 100 of which are pending; has others besides, of which nothing can be taken
 * back.
 */
async function buyer(otherCredits = 1_000): Promise<Buyer> {
  const order = await shop.granted();
  const customer = await shop.customerOf(order);
  const [{ hash } = { hash: '' }] = await shop.ledger.query<{ hash: string }>(
    'SELECT hash FROM api_keys WHERE id = $1',
    [customer.keyId],
  );
  const spent = await customer.charge(shop.ledger.replicas[0], 100);
  await customer.settle(shop.ledger.replicas[0], spent.id, 'posted');
  await customer.charge(shop.ledger.replicas[0], 100);
  if (otherCredits > 0) await others(order, otherCredits);
  return { order, customer, keyHash: hash };
}

const others = ({ accountId }: Started, credits = 1_000) => shop.ledger.factory.lot({ accountId, credits });

/** The bank takes the money back, and decides so after `meanwhile`. */
async function lose(order: Started, meanwhile?: () => Promise<unknown>): Promise<void> {
  const { id } = shop.standIn.returns.dispute(shop.intentOf(order));
  await shop.deliverAll();
  await meanwhile?.();
  shop.standIn.returns.closeDispute(id, 'lost');
  await shop.deliverAll();
}

async function outcomes(
  { customer, keyHash }: Buyer,
  charging: readonly ChargeService[] = shop.ledger.replicas,
  billing: ComposedBilling = shop.ledger,
): Promise<unknown[]> {
  const charges = charging.map((replica) => customer.charge(replica, 1));
  const [key] = await billing.get(ApiKeysService).authenticate([keyHash]);
  return [...(await Promise.all(charges)).map(({ reply }) => reply.outcome), key?.is_stopped ?? false];
}

const refused = ['key_revoked', 'key_revoked', true];
const allowed = ['charged', 'charged', false];

const accept = ({ orderId }: Started) => shop.ledger.get(OrderDecisionsService).accept(orderId);

describe('where accounts are stopped after a lost dispute', () => {
  it('the keys of an account whose credits are missing are refused, and nothing is taken', async () => {
    const one = await buyer();
    await lose(one.order, async () => expect(await outcomes(one)).toEqual(allowed));
    const before = await shop.ledger.balance(one.order.accountId);
    expect(await outcomes(one)).toEqual(refused);
    expect(await shop.ledger.balance(one.order.accountId)).toBe(before);
  });

  it('an account that has spent nothing owes nothing', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    await others(order);
    await lose(order);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply).toMatchObject({ outcome: 'charged' });
  });

  it('an account is served again when an operator accepts the loss', async () => {
    const one = await buyer();
    await lose(one.order);
    await accept(one.order);
    await shop.deliverAll();
    expect(await outcomes(one)).toEqual(allowed);
  });

  it('a loss that an operator accepted while the dispute was under way counts again when it is lost', async () => {
    const one = await buyer();
    await lose(one.order, () => accept(one.order));
    expect(await outcomes(one)).toEqual(refused);
  });

  it('an account is served again when it buys again, and stopped at the next loss', async () => {
    const one = await buyer(0);
    await lose(one.order);
    expect(await outcomes(one)).toEqual(refused);
    const again = await shop.start(one.order.accountId);
    shop.standIn.payments.pay(again.sessionId, 'card');
    await shop.deliverAll();
    expect(await outcomes(one)).toEqual(allowed);
    await lose(again);
    expect(await outcomes(one)).toEqual(refused);
  });

  it('an account is served again once the missing credits have been recovered', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    const { id } = await customer.charge(shop.ledger.replicas[0], 100);
    await others(order);
    await lose(order);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply.outcome).toBe('key_revoked');
    await customer.settle(shop.ledger.replicas[0], id, 'voided');
    await shop.ledger.get(RecoverableCreditsStep).run(100);
    expect((await customer.charge(shop.ledger.replicas[0], 1)).reply.outcome).toBe('charged');
  });

  it('a stopped account stops no other one, and its pages say that it is stopped', async () => {
    const [one, other] = [await buyer(0), await buyer(0)];
    await lose(one.order);
    expect(await outcomes(other)).toEqual(allowed);
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
        method: 'mail' as const,
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

describe('where they are not stopped', () => {
  it('a lost dispute changes nothing, and turning it on later stops accounts that owe already', async () => {
    const one = await buyer();
    const billing = await shop.ledger.anotherReplica(shop.ledger.dataSource, defaultLedgerOptions);
    shop.replicas = [billing, billing];
    await lose(one.order);
    const charging = [billing.get(ChargeService), billing.get(ChargeService)];
    expect(await outcomes(one, charging, billing)).toEqual(allowed);
    expect(await outcomes(one)).toEqual(refused);
  });
});
