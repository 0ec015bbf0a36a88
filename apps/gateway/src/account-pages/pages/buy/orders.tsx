import { type OrderState, type OrderView } from '@app/contracts';
import { Badge } from '../../components/display/badge.js';
import { Card } from '../../components/display/card.js';
import { DataTable } from '../../components/display/data-table.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatNumber, formatPrice } from '../../view/format.js';
import { packNames } from './pack-words.js';

const columns = [
  { title: 'Ordered' },
  { title: 'Pack' },
  { title: 'Credits', isNumber: true, isWideOnly: true },
  { title: 'Price', isNumber: true },
  { title: 'State' },
];

/** The orders of the account, newest first. */
export function Orders({ orders }: { readonly orders: readonly OrderView[] }) {
  return (
    <Card title="Orders">
      <DataTable caption="Orders" columns={columns}>
        {orders.map((order) => (
          <tr key={order.id}>
            <td class="wraps">
              <Moment at={order.ordered_at} />
            </td>
            <td class="wraps pack-name">
              <a href={`${pagePaths.buy}/${order.id}`}>{packNames[order.pack]}</a>
              <span class="narrow-only hint">{formatCount(order.credits, 'credit')}</span>
            </td>
            <td class="number wide-only">{formatNumber(order.credits)}</td>
            <td class="number">{formatPrice(order.price_cents)}</td>
            <td class="wraps">
              <StateBadge state={order.state} /> {returnedWords(order)}{' '}
              {order.state === 'granted' && <a href={receiptPath(order)}>Receipt</a>}
            </td>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

const states: Readonly<
  Record<OrderState, { kind: 'good' | 'neutral' | 'warning' | 'problem'; words: string }>
> = {
  open: { kind: 'warning', words: 'Not paid yet' },
  processing: { kind: 'warning', words: 'Payment processing' },
  in_review: { kind: 'warning', words: 'Paid, being looked at' },
  granted: { kind: 'good', words: 'Paid' },
  refunded: { kind: 'neutral', words: 'Refunded' },
  expired: { kind: 'neutral', words: 'Expired, not paid' },
  failed: { kind: 'problem', words: 'Payment failed' },
};

function StateBadge({ state }: { readonly state: OrderState }) {
  const { kind, words } = states[state];
  return <Badge kind={kind}>{words}</Badge>;
}

/** Where the receipt of a paid order is. */
export function receiptPath({ id }: Pick<OrderView, 'id'>): string {
  return `${pagePaths.buy}/${id}/receipt`;
}

/** What went back, and what it took along. */
export function returnedWords(order: OrderView): string {
  if (order.returned_cents === 0) return '';
  const taken = formatCount(order.credits_taken_back, 'credit');
  return `${formatPrice(order.returned_cents)} returned, ${taken} taken back`;
}
