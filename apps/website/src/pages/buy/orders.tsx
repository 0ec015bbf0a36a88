import { type OrderState, type OrderView } from '#contracts';
import { Badge, type BadgeKind, Moment } from '../../components/display.js';
import { type Column } from '../../components/table.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatNumber, formatPrice, lotNames } from '../../view/format.js';

/** Columns of a table of orders. */
export const orderColumns: readonly Column<OrderView>[] = [
  { title: 'Ordered', cell: (order) => <Moment at={order.ordered_at} /> },
  { title: 'Pack', cell: (order) => <a href={orderPath(order)}>{lotNames[order.pack]}</a> },
  { title: 'Credits', class: 'number extra', cell: ({ credits }) => formatNumber(credits) },
  { title: 'Amount', class: 'number', cell: (order) => formatPrice(amountOf(order)) },
  {
    title: 'Status',
    cell: (order) => (
      <>
        <Badge kind={stateOf(order)[0]}>{stateOf(order)[1]}</Badge> {returnedWords(order)}
      </>
    ),
  },
];

const states: Readonly<Record<OrderState, readonly [BadgeKind, string]>> = {
  open: ['warning', 'Not paid'],
  processing: ['warning', 'Payment processing'],
  in_review: ['warning', 'Paid, in review'],
  granted: ['good', 'Paid'],
  refunded: ['neutral', 'Refunded'],
  expired: ['neutral', 'Expired, not paid'],
  failed: ['problem', 'Payment failed'],
};

/** The state of an order in two words, as far as is known: the list does not ask the payment provider. */
export function stateOf(order: OrderView): readonly [BadgeKind, string] {
  const { state, returned_cents: returned } = order;
  if (returned > 0) return returned < amountOf(order) ? ['good', 'Partly refunded'] : states.refunded;
  return state === 'granted' && isFree(order) ? ['good', 'Free of charge'] : states[state];
}

/** Whether the order may have been paid: the payment provider could not be asked. */
export function isUncertain({ state, is_checked }: OrderView): boolean {
  return !is_checked && (state === 'open' || state === 'expired');
}

/** The page of an order. */
export function orderPath({ id }: Pick<OrderView, 'id'>): string {
  return `${pagePaths.buy}/${id}`;
}

/** The money that was returned, and the credits that were taken back. */
export function returnedWords(order: OrderView): string {
  if (order.returned_cents === 0) return '';
  const taken = formatCount(order.credits_taken_back, 'credit');
  const [returned, amount] = [order.returned_cents, amountOf(order)];
  const share = returned < amount ? ` of ${formatPrice(amount)}` : '';
  return `${formatPrice(returned)}${share} returned, ${taken} taken back`;
}

/** The amount paid or due, US cents. */
export function amountOf({ paid, price_cents }: OrderView): number {
  return paid?.total_cents ?? price_cents;
}

/** Price, discount and tax, by name; empty without discount and tax. */
export function amountParts({ paid }: OrderView): Readonly<Record<string, string>> {
  if (!paid || (paid.discount_cents === 0 && paid.tax_cents === 0)) return {};
  return {
    Price: formatPrice(paid.subtotal_cents),
    ...(paid.discount_cents !== 0 && { Discount: formatPrice(-paid.discount_cents) }),
    ...(paid.tax_cents !== 0 && { Tax: formatPrice(paid.tax_cents) }),
  };
}

/** Whether a discount covered the whole price. */
export function isFree({ paid }: OrderView): boolean {
  return paid?.total_cents === 0;
}
