import { type SellingView } from '#contracts';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import { buyPage } from './buy.page.js';

const selling: SellingView = {
  is_open: true,
  is_test: false,
  checkout_origin: 'https://checkout.stripe.com',
  adds_tax: false,
  makes_invoices: false,
};

/** The page as a member sees who does not buy. */
function textOf(view: SellingView): string {
  const { body } = buyPage({
    selling: view,
    orders: [],
    orderIds: { trial: '1', builder: '2', scale: '3' },
    isOwner: false,
    isSuspended: false,
  });
  return render(h(Fragment, null, body)).replace(/<[^>]*>/g, '');
}

it.each([
  ['where tax may come on top', { ...selling, adds_tax: true }, 'US dollars, plus tax where it applies.'],
  ['where none does', selling, 'US dollars.'],
])('prices %s', (_where, view, words) => {
  expect(textOf(view)).toContain(`Prices are in ${words}`);
});
