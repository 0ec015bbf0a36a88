import { type OrderView } from '@app/contracts';
import { Copyable } from '../../components/controls/copyable.js';
import { Card } from '../../components/display/card.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { formatCount, formatPrice } from '../../view/format.js';
import { amountLines, amountOf, isFree } from './amounts.js';
import { receiptPath, returnedWords } from './orders.js';
import { lifetimeDays } from './pack-words.js';

/** What is known of an order, in every state: its number, its amounts, its credits and its receipts. */
export function OrderFacts({ order }: { readonly order: OrderView }) {
  const { granted_at, expires_at } = order;
  const isPaid = order.paid ? true : granted_at !== null;
  return (
    <Card title={titleOf(order, isPaid)}>
      <Facts>
        <Fact name="Ordered">
          <Moment at={order.ordered_at} />
        </Fact>
        {amountLines(order).map(({ name, cents }) => (
          <Fact key={name} name={name}>
            {formatPrice(cents)}
          </Fact>
        ))}
        <Fact name={isPaid ? 'Paid' : 'Price'}>{formatPrice(amountOf(order))}</Fact>
        {granted_at !== null && (
          <Fact name="Credits added">
            <Moment at={granted_at} as="exact" />
          </Fact>
        )}
        {expires_at !== null && (
          <Fact name="They expire">
            <Moment at={expires_at} as="date" />, after {lifetimeDays} days
          </Fact>
        )}
        {order.returned_cents > 0 && <Fact name="Returned">{returnedWords(order)}</Fact>}
        {order.credits_not_recovered > 0 && (
          <Fact name="Spent or expired before that">
            {formatCount(order.credits_not_recovered, 'credit')}
          </Fact>
        )}
      </Facts>
      <Facts>
        <Fact name="Order number">
          <Copyable id="order-number" what="order number" text={order.id} />
        </Fact>
      </Facts>
      <Receipts order={order} />
    </Card>
  );
}

/** Ours, which says who has paid whom, and that of the payment provider, which names the card. */
function Receipts({ order }: { readonly order: OrderView }) {
  const ours = order.granted_at !== null && <a href={receiptPath(order)}>Receipt</a>;
  const theirs = order.receipt_url !== null && <a href={order.receipt_url}>Stripe&apos;s receipt</a>;
  if (!ours && !theirs) return null;
  return (
    <p>
      {ours}
      {ours && theirs && ', '}
      {theirs}
    </p>
  );
}

function titleOf(order: OrderView, isPaid: boolean): string {
  if (!isPaid) return 'Order';
  return isFree(order) ? 'Free of charge' : 'Paid';
}
