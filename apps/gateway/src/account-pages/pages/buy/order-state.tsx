import { type OrderView, type SellingView } from '@app/contracts';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { Done } from '../../components/display/done.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { usePage } from '../../view/page-context.js';
import { isFree } from './amounts.js';
import { Contact } from './contact.js';
import { isUncertain, orderPath } from './orders.js';

/** How long a purchase is news, ms. */
const newForMs = 600_000;

export interface OrderProps {
  readonly order: OrderView;
  readonly selling: SellingView;
  readonly isOwner: boolean;
  readonly salesEmail: string | undefined;
}

/** Whether it is certain that nothing has been paid for an order that can still be paid. */
export function isUnpaid({ state, is_checked }: OrderView): boolean {
  return state === 'open' && is_checked === true;
}

/** While the page reloads by itself; in place of a button that would lead to the payment a second time. */
export function Checking({ order }: { readonly order: OrderView }) {
  if (isUncertain(order)) {
    return (
      <>
        <p>We could not check your payment yet. This page tries again by itself.</p>
        <DoNotPayAgain />
      </>
    );
  }
  return (
    <>
      <p>We are checking your payment. This page reloads by itself.</p>
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

/** What has become of the order, and what its buyer can do. */
export function OrderState(props: OrderProps) {
  const { order } = props;
  if (isUncertain(order)) return <Uncertain order={order} />;
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
      return <InReview {...props} />;
    case 'granted':
      return <Granted order={order} />;
    case 'refunded':
      return <Ended words="Your money for this order went back to you, so it has no credits." />;
    case 'expired':
      return <Ended words="This order was not paid in time, and nothing was taken from you." />;
    case 'failed':
      return <Ended words="The payment failed, so no credits were added." />;
  }
}

function Uncertain({ order }: { readonly order: OrderView }) {
  return (
    <>
      <p>We could not check whether this order is paid.</p>
      <DoNotPayAgain />
      <p>
        <LinkButton kind="primary" href={orderPath(order)}>
          Check again
        </LinkButton>
      </p>
    </>
  );
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

function InReview({ salesEmail }: OrderProps) {
  return (
    <>
      <p>
        Your payment has arrived and is being looked at. You do not need to pay again: the credits are added,
        or your money goes back.
      </p>
      <p>
        Questions? <Contact salesEmail={salesEmail} />
        {salesEmail !== undefined && ' and name the order number.'}
      </p>
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
      <p>
        <LinkButton kind="primary" href={pagePaths.overview}>
          Go to overview
        </LinkButton>
      </p>
    </>
  );
}

function Ended({ words }: { readonly words: string }) {
  return (
    <>
      <p>{words}</p>
      <p>
        <LinkButton kind="primary" href={pagePaths.buy}>
          Buy credits
        </LinkButton>
      </p>
    </>
  );
}
