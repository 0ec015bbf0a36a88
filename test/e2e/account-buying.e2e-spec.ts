import { eventually, type PageVisitor } from '#testing';
import { admin } from '../support/admin-api.js';
import { createKeyOnPage, newOwner } from '../support/members.js';
import { api } from '../support/public-api.js';
import { describeSelling, mailTo, payments } from '../support/selling.js';

// A view asks Stripe about an order every ten seconds at most: none comes before the payment here.
const paidWithinMs = 20_000;
jest.setTimeout(60_000);

/** Presses the button of a pack; returns the page to pay on. */
async function order(owner: PageVisitor, pack: string): Promise<{ checkoutUrl: string; orderPath: string }> {
  const form = (await owner.get('/account/buy')).form('/account/buy', { pack });
  const sent = await owner.submit(form);
  expect(sent.status).toBe(303);
  return { checkoutUrl: sent.location, orderPath: `/account/buy/${form.fields.order_id}` };
}

describeSelling('buying credits', () => {
  it('the webhook grants it, even if the buyer never comes back, and the owner gets a receipt', async () => {
    const { account, owner } = await newOwner();
    const { checkoutUrl, orderPath } = await order(owner, 'trial');
    await payments.pay(checkoutUrl);
    await eventually(async () => expect(await admin.balance(account.id)).toBe(50), paidWithinMs);
    expect((await owner.get(orderPath)).text).toContain('Paid. 50 credits were added');
    expect(await admin.balance(account.id)).toBe(50);
    const { text } = await mailTo(account.email, 'Payment received: $19');
    expect(text).toContain('50 credits have been added to the account');
    expect(text).toMatch(new RegExp(`Order and receipt:\\s+http.+${orderPath}\\n`));
  });

  it('the same form again leads to the same payment, and a refund takes its credits back', async () => {
    const { account, owner } = await newOwner();
    const form = (await owner.get('/account/buy')).form('/account/buy', { pack: 'builder' });
    const [one, other] = [await owner.submit(form), await owner.submit(form)];
    expect(other.location).toBe(one.location);
    const payment = await payments.pay(one.location);
    await eventually(async () => expect(await admin.balance(account.id)).toBe(500), paidWithinMs);
    const key = await createKeyOnPage(owner, 'Spender');
    expect(await api.freeStatus(key)).toBe(200);

    await payments.refund(payment, 7_450);
    await eventually(async () => expect(await admin.balance(account.id)).toBe(250), paidWithinMs);
    expect((await owner.get('/account/buy')).text).toContain(
      '$74.50 of $149 returned, 250 credits taken back',
    );
    await payments.refund(payment, 7_450);
    await eventually(async () => expect(await admin.balance(account.id)).toBe(0), paidWithinMs);
    expect((await owner.get('/account')).text).toContain('No credits');
    expect((await admin.audit()).discrepancies.map(({ account_id }) => account_id)).not.toContain(account.id);
  });
});
