import { type OrderView } from '#contracts';
import { Callout } from '../../components/display.js';
import { Ask, type Question } from '../../components/question.js';
import { formatMoment } from '../../view/dates.js';
import { formatCount, formatPrice } from '../../view/format.js';
import { amountOf, orderPath } from './orders.js';

interface RefundProps {
  readonly order: OrderView;
  readonly isOwner: boolean;
}

/** Whether the money of an unused order can be had back, and until when. */
export function Refund({ order, isOwner }: RefundProps) {
  if (!order.refund) return null;
  const { state, until } = order.refund;
  if (state === 'requested') {
    return (
      <Callout kind="info">
        A refund of {formatPrice(amountOf(order))} was requested, and the credits were taken back. The payment
        provider has not confirmed it yet; you need not do anything.
      </Callout>
    );
  }
  if (state === 'used') {
    return <p class="hint">Credits of this order were used, so it can't be refunded here.</p>;
  }
  return (
    <>
      <p class="hint">
        As long as none of these credits is used, {isOwner ? 'you' : 'an owner'} can have the money back until{' '}
        {formatMoment(until)}.
      </p>
      {isOwner && (
        <p>
          <Ask question={refundQuestion(order)} label="Refund this order">
            Refund this order
          </Ask>
        </p>
      )}
    </>
  );
}

/** The confirmation of a refund. */
export function refundQuestion(order: OrderView): Question {
  const [credits, amount] = [formatCount(order.credits, 'credit'), formatPrice(amountOf(order))];
  return {
    id: 'refund',
    title: 'Refund this order?',
    section: 'buy',
    path: `${orderPath(order)}/refund`,
    back: orderPath(order),
    body: (
      <p>
        {amount} goes back to the card or account that paid, and the {credits} are taken back at once. Calls
        that need them are refused from then on.
      </p>
    ),
    verb: `Refund ${amount}`,
    isDangerous: true,
  };
}
