import { type OrderState, type OrderView } from '#contracts';
import { Badge, Card, Moment } from '../../components/display.js';
import { type Column, DataTable } from '../../components/table.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatNumber, formatPrice } from '../../view/format.js';
import { packNames } from './packs.js';

const columns: readonly Column<OrderView>[] = [
  { title: 'Ordered', class: 'wraps', cell: (order) => <Moment at={order.ordered_at} /> },
  {
    title: 'Pack',
    class: 'wraps pack-name',
    cell: (order) => (
      <>
        <a href={orderPath(order)}>{packNames[order.pack]}</a>
        <span class="narrow-only hint">{formatCount(order.credits, 'credit')}</span>
      </>
    ),
  },
  { title: 'Credits', isNumber: true, isWideOnly: true, cell: ({ credits }) => formatNumber(credits) },
  { title: 'Amount', isNumber: true, cell: (order) => formatPrice(amountOf(order)) },
  {
    title: 'Status',
    class: 'wraps',
    cell: (order) => (
      <>
        <StateBadge order={order} /> {returnedWords(order)}
      </>
    ),
  },
];

/** The orders of the account, newest first. */
export function Orders({ orders }: { readonly orders: readonly OrderView[] }) {
  return (
    <Card title="Orders">
      <DataTable caption="Orders" columns={columns} rows={orders} />
    </Card>
  );
}

interface StateWords {
  readonly kind: 'good' | 'neutral' | 'warning' | 'problem';
  readonly words: string;
}

const states: Readonly<Record<OrderState, StateWords>> = {
  open: { kind: 'warning', words: 'Not paid yet' },
  processing: { kind: 'warning', words: 'Payment processing' },
  in_review: { kind: 'warning', words: 'Paid, in review' },
  granted: { kind: 'good', words: 'Paid' },
  refunded: { kind: 'neutral', words: 'Refunded' },
  expired: { kind: 'neutral', words: 'Expired, not paid' },
  failed: { kind: 'problem', words: 'Payment failed' },
};
/** The list does not ask the payment provider. */
const uncertain: StateWords = { kind: 'warning', words: 'Not confirmed' };
const free: StateWords = { kind: 'good', words: 'Free of charge' };

function StateBadge({ order }: { readonly order: OrderView }) {
  const { kind, words } = wordsOf(order);
  return <Badge kind={kind}>{words}</Badge>;
}

function wordsOf(order: OrderView): StateWords {
  if (isUncertain(order)) return uncertain;
  return order.state === 'granted' && isFree(order) ? free : states[order.state];
}

/** Whether the buyer may have paid without our knowing, because the payment provider could not be asked. */
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

/** An amount on the way from the price to what was paid, US cents; a discount is negative. */
interface AmountLine {
  readonly name: string;
  readonly cents: number;
}

/** What the buyer paid, or is to pay, US cents. */
export function amountOf({ paid, price_cents }: OrderView): number {
  return paid?.total_cents ?? price_cents;
}

/** What the amount consists of, if there was a discount or tax. */
export function amountLines({ paid }: OrderView): AmountLine[] {
  if (!paid) return [];
  const lines = [
    { name: 'Discount', cents: -paid.discount_cents },
    { name: 'Tax', cents: paid.tax_cents },
  ].filter(({ cents }) => cents !== 0);
  return lines.length > 0 ? [{ name: 'Price', cents: paid.subtotal_cents }, ...lines] : [];
}

/** Whether a discount covered the whole price. */
export function isFree({ paid }: OrderView): boolean {
  return paid?.total_cents === 0;
}
