import { type OrderView, type SellingView } from '#contracts';
import { LinkButton } from '../../components/controls.js';
import { Card, Done, Facts, Moment } from '../../components/display.js';
import { Action } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatPrice, lotNames } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { amountOf, amountParts, isFree, isUncertain, orderPath, returnedWords, stateOf } from './orders.js';
import { Contact, lifetimeDays } from './packs.js';

/** The page looks again every 5 s for a minute: billing asks the payment provider every 10 s at most. */
const lookAgainSeconds = 5;
const looksMax = 12;
/** How long a purchase is news, ms. */
const newForMs = 600_000;

interface OrderProps {
  readonly order: OrderView;
  readonly selling: SellingView;
  readonly isOwner: boolean;
  /** How often the page was loaded since the buyer came back from paying; 0 for other visits. */
  readonly returned: number;
}

/** One order, to which the payment page returns. */
export function orderPage(props: OrderProps): PageView {
  const { order, selling, returned } = props;
  const isChecking = order.state === 'open' && returned > 0 && returned < looksMax;
  const path = `${orderPath(order)}?returned=${returned + 1}`;
  return {
    title: 'Order',
    section: 'buy',
    answer: `${lotNames[order.pack]}: ${formatCount(order.credits, 'credit')}, ${formatPrice(order.price_cents)}`,
    formTarget: selling.checkout_origin,
    ...(isChecking ? { next: { path, afterSeconds: lookAgainSeconds } } : {}),
    body: (
      <>
        <OrderState {...props} isChecking={isChecking} />
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

const words: Readonly<Record<Exclude<OrderView['state'], 'granted'>, string>> = {
  open: 'No payment has arrived for this order. Just paid? It can take a few seconds to appear here: reload this page.',
  processing:
    'Payment is processing; some banks take days. Credits are added automatically. You do not need to pay again.',
  in_review:
    'We received your payment and are reviewing it. You do not need to pay again: either your credits are added, or your money is refunded.',
  refunded: 'This order was refunded, so it has no credits.',
  expired: 'This order was not paid in time. You were not charged.',
  failed: 'The payment failed, so no credits were added.',
};

/** What is known about the payment, and what its buyer must not do. */
function wordsOf(order: OrderView, state: keyof typeof words, isChecking: boolean): string {
  if (isUncertain(order)) {
    const again = isChecking ? ' This page tries again automatically.' : '';
    return `We could not check whether this order is paid.${again} If you have paid, do not pay again: your credits are added as soon as the payment is confirmed, even if you close this page.`;
  }
  return isChecking
    ? 'We are checking your payment. This page reloads automatically. Credits are added once the payment is confirmed, even if you close this page.'
    : words[state];
}

interface StateProps extends OrderProps {
  /** The page reloads by itself, and has no button that could lead to a second payment. */
  readonly isChecking: boolean;
}

/** The state of the order, and what its buyer can do. */
function OrderState({ order, selling, isOwner, isChecking }: StateProps) {
  const { state } = order;
  if (state === 'granted') return <Granted order={order} />;
  const isUnsure = isUncertain(order);
  const isKnown = !isUnsure && !isChecking;
  return (
    <>
      <p>{wordsOf(order, state, isChecking)}</p>
      {isUnsure && !isChecking && <LinkButton href={orderPath(order)}>Check again</LinkButton>}
      {state === 'in_review' && (
        <p>
          Questions? <Contact /> and mention the order number.
        </p>
      )}
      {isKnown && state === 'open' && isOwner && selling.is_open && (
        <Action
          action={pagePaths.buy}
          hidden={{ pack: order.pack, order_id: order.id }}
          kind="primary"
          verb="Go to payment"
        />
      )}
      {isKnown && isOwner && ['refunded', 'expired', 'failed'].includes(state) && (
        <LinkButton href={pagePaths.buy}>Buy credits</LinkButton>
      )}
    </>
  );
}

/** News for ten minutes. */
function Granted({ order }: { readonly order: OrderView }) {
  const isNew = order.granted_at !== null && Date.now() - Date.parse(order.granted_at) < newForMs;
  if (!isNew || order.returned_cents > 0) return null;
  const added = `${formatCount(order.credits, 'credit')} were added to your account.`;
  return <Done>{isFree(order) ? `${added} A discount covered the whole price.` : `Paid. ${added}`}</Done>;
}

/** The facts of an order in every state: number, amounts, credits and receipt. */
function OrderFacts({ order }: { readonly order: OrderView }) {
  const { granted_at: grantedAt, expires_at: expiresAt, invoice } = order;
  const isPaid = order.paid !== null || grantedAt !== null;
  return (
    <Card title={isUncertain(order) ? 'Order' : stateOf(order)[1]}>
      <Facts
        of={{
          Ordered: <Moment at={order.ordered_at} />,
          ...amountParts(order),
          [isPaid ? 'Paid' : 'Price']: formatPrice(amountOf(order)),
          'Credits added': grantedAt && <Moment at={grantedAt} as="exact" />,
          'Credits expire': expiresAt && (
            <>
              <Moment at={expiresAt} as="date" />, after {lifetimeDays} days
            </>
          ),
          Invoice: invoice && (invoice.number ?? 'Not ready yet. Reload this page in a minute.'),
          Returned: returnedWords(order) || null,
          'Already used or expired':
            order.credits_not_recovered > 0 ? formatCount(order.credits_not_recovered, 'credit') : null,
          'Order number': <code>{order.id}</code>,
        }}
      />
      {order.receipt_url !== null && (
        <p>
          <a href={order.receipt_url}>{invoice?.number ? 'Invoice' : 'Receipt'}</a>
        </p>
      )}
    </Card>
  );
}
