import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatPrice } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { OrderFacts } from './order-facts.js';
import { Checking, type OrderProps, OrderState } from './order-state.js';
import { orderPath } from './orders.js';
import { packNames } from './pack-words.js';

/** The page looks again every 5 s for a minute: billing asks the payment provider every 10 s at most. */
const lookAgainSeconds = 5;
const looksMax = 12;

interface OrderPageProps extends OrderProps {
  /** How often the page was loaded since the buyer came back from paying; 0 for other visits. */
  readonly returned: number;
}

/** One order: where the payment page leads back to. */
export function orderPage({ returned, ...props }: OrderPageProps): PageView {
  const { order, selling } = props;
  const isChecking = order.state === 'open' && returned > 0 && returned < looksMax;
  const path = `${orderPath(order)}?returned=${returned + 1}`;
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
        {isChecking ? <Checking order={order} /> : <OrderState {...props} />}
        <OrderFacts order={order} />
        <p>
          <a href={pagePaths.buy}>All orders</a>
        </p>
      </>
    ),
  };
}
