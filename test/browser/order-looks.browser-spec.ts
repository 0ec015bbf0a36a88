import { eventually, type PageVisitor, runSql } from '#testing';
import { environment } from '../support/environment.js';
import { newOwner } from '../support/members.js';
import { payments } from '../support/selling.js';
import { browserOf } from './support/account-suite.js';
import { describeInBrowser } from './support/browser-suite.js';
import { problemsOf } from './support/looks.js';
import { savePictures } from './support/pictures.js';

/** An order of 500 credits for $149. */
interface Ordered {
  readonly id: string;
  readonly checkoutUrl: string;
}

interface Situation {
  readonly picture: string;
  readonly reads: string;
  readonly arrange: (order: Ordered) => Promise<unknown>;
}

const change = ({ id }: Ordered, columns: string): Promise<object[]> =>
  runSql(environment.billingDatabaseUrl ?? '', `UPDATE orders SET ${columns} WHERE id = '${id}'`);

const situations: readonly Situation[] = [
  { picture: 'open', reads: 'No payment has arrived', arrange: () => Promise.resolve() },
  {
    picture: 'not-checked',
    reads: 'We could not check whether this order is paid',
    // Shown as last known, because a view has just asked.
    arrange: (order) => change(order, "answered_at = NULL, viewed_at = ledger_now() + interval '1 hour'"),
  },
  {
    picture: 'processing',
    reads: 'Payment is processing',
    arrange: ({ checkoutUrl }) => payments.pay(checkoutUrl, { method: 'delayed' }),
  },
  {
    picture: 'in-review',
    reads: 'are reviewing it',
    arrange: async (order) => {
      await change(order, 'price_cents = 15900');
      await payments.pay(order.checkoutUrl);
    },
  },
  { picture: 'paid', reads: 'Paid. 500 credits', arrange: ({ checkoutUrl }) => payments.pay(checkoutUrl) },
  {
    picture: 'paid-with-tax',
    reads: '$141.85',
    arrange: ({ checkoutUrl }) => payments.pay(checkoutUrl, { tax_percent: 19, discount_percent: 20 }),
  },
  {
    picture: 'free',
    reads: 'A discount covered the whole price',
    arrange: ({ checkoutUrl }) => payments.pay(checkoutUrl, { discount_percent: 100 }),
  },
  {
    picture: 'returned',
    reads: '$74.50 of $149 returned',
    arrange: async ({ checkoutUrl }) => payments.refund(await payments.pay(checkoutUrl), 7_450),
  },
  {
    picture: 'refunded',
    reads: 'This order was refunded',
    arrange: async (order) => {
      await change(order, 'price_cents = 15900');
      await payments.refund(await payments.pay(order.checkoutUrl), 14_900);
    },
  },
  {
    picture: 'expired',
    reads: 'You were not charged',
    arrange: ({ checkoutUrl }) => payments.expire(checkoutUrl),
  },
  {
    picture: 'failed',
    reads: 'The payment failed',
    arrange: async ({ checkoutUrl }) => {
      await payments.pay(checkoutUrl, { method: 'delayed' });
      await payments.settle(checkoutUrl, 'failed');
    },
  },
];

const itWithDatabase = environment.paymentsUrl && environment.billingDatabaseUrl ? it : it.skip;

async function startOrder(owner: PageVisitor): Promise<Ordered> {
  const form = (await owner.get('/account/buy')).form('/account/buy', { pack: 'builder' });
  const { location: checkoutUrl } = await owner.submit(form);
  return { id: form.fields.order_id ?? '', checkoutUrl };
}

describeInBrowser('the page of an order', (browser) => {
  itWithDatabase('fits every width and is accessible, in every situation', async () => {
    const { owner } = await newOwner();
    const page = await (await browserOf(browser, owner)).open('/account/buy');
    const problems: string[] = [];
    for (const { picture, reads, arrange } of situations) {
      const order = await startOrder(owner);
      await arrange(order);
      await eventually(async () => {
        await page.goto(`/account/buy/${order.id}`);
        expect(await page.locator('main').innerText()).toContain(reads);
      }, 20_000);
      problems.push(...(await problemsOf(page, picture)));
      await savePictures(page, `order-${picture}`);
    }
    expect(problems).toEqual([]);
  });
});
