import { type OrderView, refreshOrder, type RefundOffer, refundOwnOrder, ServiceError } from '#contracts';
import { type ShownPage } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite();
const until = '2026-03-02T12:00:00.000Z';
const button = 'Refund this order';
const path = (): string => `/account/buy/${account.orderId}`;

function script(state: RefundOffer['state'] | null): void {
  const order: OrderView = {
    id: account.orderId,
    pack: 'builder',
    credits: 500,
    price_cents: 14_900,
    state: 'granted',
    paid: { subtotal_cents: 14_900, discount_cents: 0, tax_cents: 2_831, total_cents: 17_731 },
    ordered_at: '2026-03-01T11:59:00.000Z',
    granted_at: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-31T12:00:00.000Z',
    receipt_url: null,
    returned_cents: 0,
    credits_taken_back: 0,
    credits_not_recovered: 0,
    refund: state && { state, until },
  };
  account.api.services.on(refreshOrder, () => order);
}

const show = (role: 'owner' | 'member' = 'owner'): Promise<ShownPage> => account.member(role).get(path());

describe('the page of an order says until when it can be refunded', () => {
  it('to an owner with a button, and to a member without', async () => {
    script('possible');
    const page = await show();
    expect(page.text).toContain('you can have the money back until 2 Mar 2026, 12:00 UTC');
    expect(page.text).toContain(button);
    const other = await show('member');
    expect(other.text).toContain('an owner can have the money back until');
    expect(other.text).not.toContain(button);
  });

  it.each([
    ['used', "Credits of this order were used, so it can't be refunded here."],
    ['requested', 'A refund of $177.31 was requested, and the credits were taken back.'],
    [null, ''],
  ] as const)('without a button when it is %s', async (state, words) => {
    script(state);
    const page = await show();
    expect(page.text).toContain(words);
    expect(page.text).not.toContain(button);
  });
});

describe('the button', () => {
  /** Answers the question as an owner, when billing answers so. */
  async function press(answer: () => OrderView, role: 'owner' | 'member' = 'owner'): Promise<ShownPage> {
    script('possible');
    account.api.services.on(refundOwnOrder, answer);
    const visitor = account.member(role);
    const page = await visitor.get(`${path()}/refund`);
    expect(page.text).toContain('$177.31 goes back to the card or account that paid');
    return visitor.submit(page.form(`${path()}/refund`));
  }

  const fail = (code: 'conflict' | 'deadline_exceeded', message: string) => (): never => {
    throw new ServiceError(code, message);
  };

  it('asks first, and leads back to the order; a lost reply does too, which shows what became of it', async () => {
    for (const answer of [() => ({}) as OrderView, fail('deadline_exceeded', 'No reply.')]) {
      expect(await press(answer)).toMatchObject({ status: 303, location: path() });
    }
    const [asked] = account.api.services.received.filter(({ pattern }) => pattern === refundOwnOrder.pattern);
    expect(asked?.payload).toMatchObject({ account_id: account.accountId, order_id: account.orderId });
  });

  it('says why it was refused', async () => {
    const sent = await press(fail('conflict', 'Credits of this order were used.'));
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('Credits of this order were used.');
  });

  it('is for owners only', async () => {
    const sent = await press(fail('conflict', 'billing was asked'), 'member');
    expect(sent.status).toBe(403);
    expect(sent.text).not.toContain('billing was asked');
  });
});
