import { type OrderView, refreshOrder } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

describe('the page of an order, after paying', () => {
  let account: ScriptedAccount;
  beforeAll(async () => (account = await ScriptedAccount.start()));
  afterAll(() => account.stop());

  const id = uuidv7();
  const path = `/account/buy/${id}`;
  const pay = 'Go to payment';

  function script(change: Partial<OrderView>): void {
    account.script();
    const order: OrderView = {
      id,
      pack: 'trial',
      credits: 50,
      price_cents: 1_900,
      state: 'open',
      ordered_at: new Date().toISOString(),
      granted_at: null,
      expires_at: null,
      returned_cents: 0,
      credits_taken_back: 0,
      credits_not_recovered: 0,
      receipt_url: null,
      ...change,
    };
    account.api.services.on(refreshOrder, () => order);
  }

  it('reloads by itself while the payment is not known, and offers no second one', async () => {
    script({});
    const page = await account.member().get(`${path}?returned=1`);
    expect(page.html).toContain(`<meta http-equiv="refresh" content="5;url=${path}?returned=2"`);
    expect(page.text).toContain('We are checking your payment.');
    expect(page.text).not.toContain(pay);
  });

  it.each(['', '?returned=12', '?returned=0', '?returned=<b>'])(
    'stays as it is after a minute, and for everyone who did not come from paying: %j',
    async (query) => {
      script({});
      const page = await account.member().get(path + query);
      expect(page.html).not.toContain('http-equiv');
      expect(page.text).toContain(pay);
    },
  );

  it('stays as it is once the payment is known', async () => {
    script({ state: 'granted', granted_at: new Date().toISOString(), expires_at: new Date().toISOString() });
    const page = await account.member().get(`${path}?returned=3`);
    expect(page.html).not.toContain('http-equiv');
    expect(page.text).toContain('50 credits were added');
  });
});
