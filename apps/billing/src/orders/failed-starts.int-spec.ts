import { ServiceError, type StartOrderReply } from '#contracts';
import { until } from '#testing';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { useShop } from './shop.fixture.js';

const shop = useShop();

/** An order of a new account that was not requested yet. */
async function newOrder(): Promise<{ orderId: string; press: Press }> {
  const accountId = await shop.ledger.factory.account();
  const orderId = uuidv7();
  return { orderId, press: (replica = 0) => shop.ask(accountId, { orderId, replica }) };
}
type Press = (replica?: number) => Promise<StartOrderReply>;

const urls = (): (string | null)[] => shop.sessions.map(({ url }) => url);

describe('Stripe repeats a failure when it is asked again under the same key', () => {
  it('so the same button works once Stripe does, however often it failed', async () => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind: '500', operation: 'create_session' });
    for (let pressed = 0; pressed < 3; pressed += 1) {
      await expect(press(pressed)).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 7, checkoutSessionId: null });
    shop.standIn.failures.clear();
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
  });

  it('as it does a request that was sent with other content before, as after a change of PUBLIC_URL', async () => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind: 'break', operation: 'create_session', when: 'after', times: 2 });
    await expect(press()).rejects.toMatchObject({ code: 'unavailable' });
    const session = shop.sessions[0];
    await shop.ledger.query('UPDATE orders SET price_cents = price_cents + 100 WHERE id = $1', [orderId]);
    const { checkout_url } = await press();
    expect(checkout_url).toBe(shop.sessions[1]?.url);
    expect(checkout_url).not.toBe(session?.url);
    await shop.ledger.query('UPDATE orders SET price_cents = price_cents - 100 WHERE id = $1', [orderId]);
  });
});

it.each([
  ['409', 'before'],
  ['429', 'before'],
  ['break', 'before'],
  ['break', 'after'],
] as const)(
  'a request that has no result is repeated under its key, and makes no second session: %s %s its work',
  async (kind, when) => {
    const { orderId, press } = await newOrder();
    const times = kind === 'break' ? 2 : 1;
    shop.standIn.failures.add({ kind, when, operation: 'create_session', times });
    await expect(press()).rejects.toMatchObject({ code: 'unavailable' });
    const unstarted = { state: 'open', checkoutAttempts: 1, checkoutSessionId: null };
    expect(await shop.order({ orderId })).toMatchObject(unstarted);
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
    expect(shop.sessions).toHaveLength(1);
  },
);

describe('a key that Stripe does not accept', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  beforeEach(() => error.mockClear());
  afterAll(() => error.mockRestore());

  it.each([
    [
      'may not create sessions',
      'has to be allowed Checkout Sessions: Write. While it does, nothing can be bought.',
    ],
    ['is unknown', 'does not know STRIPE_SECRET_KEY'],
  ])('%s: the buyer reads that nothing was taken, operators what to do', async (which, words) => {
    const { press } = await newOrder();
    if (which === 'is unknown') shop.standIn.failures.add({ kind: '401' });
    else shop.standIn.permissions.restrict({ checkout_sessions: 'read' });
    const refused = await press().catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ code: 'conflict' });
    expect(String(refused)).toContain('Credits cannot be bought at the moment');
    expect(String(refused)).toContain('Nothing was ordered or taken from you');
    expect(String(error.mock.calls)).toContain(words);
    shop.standIn.failures.clear();
    shop.standIn.permissions.restrict({});
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
  });
});

describe('an order that is started several times at once', () => {
  it('is never shown with two pages to pay on, while attempts fail', async () => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind: '500', operation: 'create_session', when: 'after', times: 5 });
    const pressed = Array.from({ length: 4 }, (_, replica) => press(replica).catch(() => null));
    const shown = (await Promise.all(pressed)).flatMap((reply) => reply?.checkout_url ?? []);
    shop.standIn.failures.clear();
    shown.push((await press(1)).checkout_url);
    const { checkoutUrl } = await shop.order({ orderId });
    expect(new Set(shown)).toEqual(new Set([checkoutUrl]));
  });

  it('goes on to the same next attempt, whichever replica has seen the first one fail', async () => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind: '500', operation: 'create_session', times: 1 });
    const replies = await Promise.all(Array.from({ length: 4 }, (_, replica) => press(replica)));
    expect(new Set(replies.map(({ checkout_url }) => checkout_url))).toEqual(new Set(urls()));
    expect(shop.sessions).toHaveLength(1);
    expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 2 });
  });

  it('is shown with the page that was stored first, also to the one whose answer came late', async () => {
    const { orderId, press } = await newOrder();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    shop.standIn.intercept(async (_call, run) => {
      const [waits, reply] = [isFirst, await run()];
      isFirst = false;
      if (waits) await released;
      return reply;
    });
    const late = press();
    await until(() => shop.sessions.length === 1);
    // The attempt has failed for another replica.
    await shop.ledger.query('UPDATE orders SET checkout_attempts = 2 WHERE id = $1', [orderId]);
    const { checkout_url } = await press(1);
    release();
    expect((await late).checkout_url).toBe(checkout_url);
    expect(checkout_url).toBe(shop.sessions[1]?.url);
    expect(await shop.order({ orderId })).toMatchObject({ checkoutSessionId: shop.sessions[1]?.id });
  });
});
