import { type OrderView, type SellingView } from '@app/contracts';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatPrice } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { usePage } from '../../view/page-context.js';
import { receiptPath, returnedWords } from './orders.js';
import { packNames } from './pack-words.js';

/** How long a purchase is news, ms. */
const newForMs = 600_000;

/** The page looks again every 5 s for a minute: billing asks the payment provider every 10 s at most. */
const lookAgainSeconds = 5;
const looksMax = 12;

interface OrderProps {
  readonly order: OrderView;
  readonly selling: SellingView;
  readonly isOwner: boolean;
  /** How often the page was loaded since the buyer came back from paying; 0 for other visits. */
  readonly returned: number;
}

/** One order: where the payment page leads back to. */
export function orderPage({ order, selling, isOwner, returned }: OrderProps): PageView {
  const isChecking = order.state === 'open' && returned > 0 && returned < looksMax;
  const path = `${pagePaths.buy}/${order.id}?returned=${returned + 1}`;
  return {
    title: 'Order',
    section: 'buy',
    formTarget: selling.checkout_origin,
    ...(isChecking ? { next: { path, afterSeconds: lookAgainSeconds } } : {}),
    body: (
      <>
        <PageTitle
          title="Order"
          answer={`${packNames[order.pack]}: ${formatCount(order.credits, 'credit')}, ${formatPrice(order.price_cents)}`}
        />
        {isChecking ? <Checking /> : <OrderState order={order} isOwner={isOwner} />}
        <p>
          <a href={pagePaths.buy}>All orders</a>
        </p>
      </>
    ),
  };
}

/** In place of a button that would lead to the payment a second time. */
function Checking() {
  return (
    <>
      <p>We are checking your payment. This page reloads by itself.</p>
      <p class="hint">Credits are added once the payment is confirmed, even if you close this page.</p>
    </>
  );
}

function OrderState({ order, isOwner }: { readonly order: OrderView; readonly isOwner: boolean }) {
  const buyAgain = (
    <p>
      <LinkButton kind="primary" href={pagePaths.buy}>
        Buy credits
      </LinkButton>
    </p>
  );
  switch (order.state) {
    case 'granted':
      return <Granted order={order} />;
    case 'processing':
      return (
        <p>
          Payment is processing; some banks take days. Credits are added automatically. You do not need to pay
          again.
        </p>
      );
    case 'open':
      return (
        <>
          <p>No payment has arrived for this order.</p>
          <p class="hint">Just paid? It can take a few seconds to appear here: reload this page.</p>
          {isOwner && (
            <Form action={pagePaths.buy} hidden={{ pack: order.pack, order_id: order.id }}>
              <Button kind="primary">Go to payment</Button>
            </Form>
          )}
        </>
      );
    case 'in_review':
      return (
        <p>
          Your payment has arrived and is being looked at. You do not need to pay again: the credits are
          added, or your money goes back.
        </p>
      );
    case 'refunded':
      return (
        <>
          <p>Your money for this order went back to you.</p>
          {buyAgain}
        </>
      );
    case 'expired':
      return (
        <>
          <p>This order was not paid in time, and nothing was taken from you.</p>
          {buyAgain}
        </>
      );
    case 'failed':
      return (
        <>
          <p>The payment failed, so no credits were added.</p>
          {buyAgain}
        </>
      );
  }
}

function Granted({ order }: { readonly order: OrderView }) {
  const { now } = usePage();
  const isNew = order.granted_at !== null && now - Date.parse(order.granted_at) < newForMs;
  const credits = formatCount(order.credits, 'credit');
  return (
    <>
      {isNew && order.returned_cents === 0 && <Done>Paid. {credits} were added to your account.</Done>}
      <Card title="Paid">
        <Facts>
          <Fact name="Credits added">
            {order.granted_at !== null && <Moment at={order.granted_at} as="exact" />}
          </Fact>
          <Fact name="They expire">
            {order.expires_at !== null && <Moment at={order.expires_at} as="date" />}
          </Fact>
          {order.returned_cents > 0 && <Fact name="Returned">{returnedWords(order)}</Fact>}
          {order.credits_not_recovered > 0 && (
            <Fact name="Spent or expired before that">
              {formatCount(order.credits_not_recovered, 'credit')}
            </Fact>
          )}
        </Facts>
        <p>
          <a href={receiptPath(order)}>Receipt</a>
        </p>
      </Card>
      {isNew && (
        <p>
          <LinkButton kind="primary" href={pagePaths.overview}>
            Go to overview
          </LinkButton>
        </p>
      )}
    </>
  );
}
