import { type OrderView } from '#contracts';
import { Card, Fact, Facts, PageTitle } from '../../components/display.js';
import { formatMoment } from '../../view/dates.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { amountLines, amountOf, orderPath } from './orders.js';
import { packNames } from './packs.js';

interface ReceiptProps {
  readonly order: OrderView;
  /** ISO 8601 UTC. */
  readonly paidAt: string;
  /** The name of the account. */
  readonly buyer: string;
  /** Lines, separated by semicolons; from the configuration. */
  readonly seller: string | undefined;
}

/** The receipt of a paid order, as one page that can be printed. */
export function receiptPage({ order, paidAt, buyer, seller }: ReceiptProps): PageView {
  const { id, pack, credits, returned_cents: returned } = order;
  const amount = amountOf(order);
  return {
    title: `Receipt ${id}`,
    section: 'buy',
    body: (
      <>
        <PageTitle title="Receipt" answer={`${formatAmount(amount)} paid on ${formatMoment(paidAt)}`} />
        <Card title={`Creator Search: ${packNames[pack]}, ${formatCount(credits, 'credit')}`}>
          <Facts>
            <Fact name="Order">{id}</Fact>
            {order.invoice?.number && <Fact name="Invoice">{order.invoice.number}</Fact>}
            <Fact name="Paid">{formatMoment(paidAt)}</Fact>
            {amountLines(order).map(({ name, cents }) => (
              <Fact key={name} name={name}>
                {formatAmount(cents)}
              </Fact>
            ))}
            <Fact name="Amount">{formatAmount(amount)} (US dollars)</Fact>
            {returned > 0 && <Fact name="Returned">{formatAmount(returned)}</Fact>}
            {returned > 0 && <Fact name="Remaining amount">{formatAmount(amount - returned)}</Fact>}
            <Fact name="Buyer">{buyer}</Fact>
            {seller && <Fact name="Seller">{linesOf(seller)}</Fact>}
          </Facts>
        </Card>
        <p class="screen-only">
          Print this page or save it as a PDF from your browser's menu.
          {typeof order.receipt_url === 'string' && (
            <>
              {' '}
              The payment provider has a receipt that shows the card:{' '}
              <a href={order.receipt_url}>Stripe&apos;s receipt</a>.
            </>
          )}
        </p>
        <p class="screen-only">
          <a href={orderPath(order)}>Back to the order</a>
        </p>
      </>
    ),
  };
}

const amounts = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** With its cents, as on paper. */
function formatAmount(cents: number): string {
  return amounts.format(cents / 100);
}

function linesOf(seller: string) {
  const lines = seller.split(';').map((line) => line.trim());
  return lines.map((line, index) => (
    <>
      {index > 0 && <br />}
      {line}
    </>
  ));
}
