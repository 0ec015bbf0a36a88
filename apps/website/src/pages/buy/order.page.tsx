import { type OrderView, type SellingView } from '#contracts';
import { Button, Copyable, LinkButton } from '../../components/controls.js';
import { Card, Done, Fact, Facts, Moment, PageTitle } from '../../components/display.js';
import { Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatPrice } from '../../view/format.js';
import { type PageView, usePage } from '../../view/page.js';
import { amountLines, amountOf, isFree, isUncertain, orderPath, returnedWords } from './orders.js';
import { Contact, lifetimeDays, packNames } from './packs.js';

/** The page looks again every 5 s for a minute: billing asks the payment provider every 10 s at most. */
const lookAgainSeconds = 5;
const looksMax = 12;
/** How long a purchase is news, ms. */
const newForMs = 600_000;

interface OrderProps {
  readonly order: OrderView;
  readonly selling: SellingView;
  readonly isOwner: boolean;
  readonly salesEmail: string | undefined;
}

interface OrderPageProps extends OrderProps {
  /** How often the page was loaded since the buyer came back from paying; 0 for other visits. */
  readonly returned: number;
}

/** One order, to which the payment page returns. */
export function orderPage({ returned, ...props }: OrderPageProps): PageView {
  const { order, selling } = props;
  const isChecking = order.state === 'open' && returned > 0 && returned < looksMax;
  const path = `${orderPath(order)}?returned=${returned + 1}`;
  const answer = `${packNames[order.pack]}: ${formatCount(order.credits, 'credit')}, ${formatPrice(order.price_cents)}`;
  return {
    title: 'Order',
    section: 'buy',
    formTarget: selling.checkout_origin,
    ...(isChecking ? { next: { path, afterSeconds: lookAgainSeconds } } : {}),
    body: (
      <>
        <PageTitle title="Order" answer={answer} />
        {isChecking ? <Checking order={order} /> : <OrderState {...props} />}
        <OrderFacts order={order} />
        <p>
          <a href={pagePaths.buy}>All orders</a>
        </p>
      </>
    ),
  };
}

/** Whether it is certain that nothing has been paid for an order that can still be paid. */
export function isUnpaid({ state, is_checked }: OrderView): boolean {
  return state === 'open' && is_checked;
}

/** Shown while the page reloads, instead of a button that could lead to a second payment. */
function Checking({ order }: { readonly order: OrderView }) {
  if (isUncertain(order)) {
    return (
      <>
        <p>We could not check your payment yet. This page tries again automatically.</p>
        <DoNotPayAgain />
      </>
    );
  }
  return (
    <>
      <p>We are checking your payment. This page reloads automatically.</p>
      <p class="hint">Credits are added once the payment is confirmed, even if you close this page.</p>
    </>
  );
}

function DoNotPayAgain() {
  return (
    <p>
      If you have paid, do not pay again: your credits are added as soon as the payment is confirmed, even if
      you close this page.
    </p>
  );
}

/** The state of the order, and what its buyer can do. */
function OrderState(props: OrderProps) {
  const { order, salesEmail } = props;
  if (isUncertain(order)) {
    return (
      <>
        <p>We could not check whether this order is paid.</p>
        <DoNotPayAgain />
        <Next href={orderPath(order)}>Check again</Next>
      </>
    );
  }
  switch (order.state) {
    case 'open':
      return <Unpaid {...props} />;
    case 'processing':
      return (
        <p>
          Payment is processing; some banks take days. Credits are added automatically. You do not need to pay
          again.
        </p>
      );
    case 'in_review':
      return (
        <>
          <p>
            We received your payment and are reviewing it. You do not need to pay again: either your credits
            are added, or your money is refunded.
          </p>
          <p>
            Questions? <Contact salesEmail={salesEmail} />
            {salesEmail !== undefined && ' and mention the order number.'}
          </p>
        </>
      );
    case 'granted':
      return <Granted order={order} />;
    case 'refunded':
      return <Ended>This order was refunded, so it has no credits.</Ended>;
    case 'expired':
      return <Ended>This order was not paid in time. You were not charged.</Ended>;
    case 'failed':
      return <Ended>The payment failed, so no credits were added.</Ended>;
  }
}

function Unpaid({ order, selling, isOwner }: OrderProps) {
  return (
    <>
      <p>No payment has arrived for this order.</p>
      <p class="hint">Just paid? It can take a few seconds to appear here: reload this page.</p>
      {isOwner && selling.is_open && (
        <Form action={pagePaths.buy} hidden={{ pack: order.pack, order_id: order.id }}>
          <Button kind="primary">Go to payment</Button>
        </Form>
      )}
    </>
  );
}

function Granted({ order }: { readonly order: OrderView }) {
  const { now } = usePage();
  const isNew = order.granted_at !== null && now - Date.parse(order.granted_at) < newForMs;
  if (!isNew) return null;
  const added = `${formatCount(order.credits, 'credit')} were added to your account.`;
  return (
    <>
      {order.returned_cents === 0 && (
        <Done>{isFree(order) ? `${added} A discount covered the whole price.` : `Paid. ${added}`}</Done>
      )}
      <Next href={pagePaths.overview}>Go to overview</Next>
    </>
  );
}

function Ended({ children }: { readonly children: string }) {
  return (
    <>
      <p>{children}</p>
      <Next href={pagePaths.buy}>Buy credits</Next>
    </>
  );
}

function Next({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <p>
      <LinkButton kind="primary" href={href}>
        {children}
      </LinkButton>
    </p>
  );
}

/** The facts of an order in every state: number, amounts, credits and receipt. */
function OrderFacts({ order }: { readonly order: OrderView }) {
  const { granted_at: grantedAt, expires_at: expiresAt } = order;
  const isPaid = order.paid ? true : grantedAt !== null;
  const paidTitle = isFree(order) ? 'Free of charge' : 'Paid';
  return (
    <Card title={isPaid ? paidTitle : 'Order'}>
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
        {grantedAt !== null && (
          <Fact name="Credits added">
            <Moment at={grantedAt} as="exact" />
          </Fact>
        )}
        {expiresAt !== null && (
          <Fact name="Credits expire">
            <Moment at={expiresAt} as="date" />, after {lifetimeDays} days
          </Fact>
        )}
        {order.invoice && (
          <Fact name="Invoice">{order.invoice.number ?? 'Not ready yet. Reload this page in a minute.'}</Fact>
        )}
        {order.returned_cents > 0 && <Fact name="Returned">{returnedWords(order)}</Fact>}
        {order.credits_not_recovered > 0 && (
          <Fact name="Already used or expired">{formatCount(order.credits_not_recovered, 'credit')}</Fact>
        )}
      </Facts>
      <Facts>
        <Fact name="Order number">
          <Copyable id="order-number" what="order number" text={order.id} />
        </Fact>
      </Facts>
      {order.receipt_url !== null && (
        <p>
          <a href={order.receipt_url}>{order.invoice?.number ? 'Invoice' : 'Receipt'}</a>
        </p>
      )}
    </Card>
  );
}
