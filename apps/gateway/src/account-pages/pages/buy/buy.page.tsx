import { type CardPack, cardPacks, type OrderView, type PackView, type SellingView } from '@app/contracts';
import { Button } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { Notice } from '../../components/display/notice.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { dayMs, formatDate } from '../../view/dates.js';
import { formatNumber, formatPrice } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { Contact } from './contact.js';
import { Orders } from './orders.js';
import { lifetimeDays, packNames, whatItBuys } from './pack-words.js';

export interface BuyProps {
  readonly selling: SellingView;
  readonly packs: readonly PackView[];
  readonly orders: readonly OrderView[];
  /** One for each pack: the same form sent twice is one order. */
  readonly orderIds: Readonly<Record<CardPack, string>>;
  /** Owners alone buy. */
  readonly isOwner: boolean;
  readonly salesEmail: string | undefined;
  readonly now: number;
  /** On top: the forms of the packs have one path, and nothing is typed into them. */
  readonly problem?: string;
  readonly status?: number;
}

/** The packs that can be bought by card, and what was ordered before. */
export function buyPage(props: BuyProps): PageView {
  const { selling, packs, orders, isOwner, salesEmail, now, problem, status } = props;
  const lastDay = formatDate(new Date(now + lifetimeDays * dayMs).toISOString());
  return {
    title: 'Buy credits',
    section: 'buy',
    formTarget: selling.checkout_origin,
    ...(status === undefined ? {} : { status }),
    body: (
      <>
        <PageTitle title="Buy credits" answer={`Pay once, use within ${lifetimeDays} days`} />
        {problem && <Notice kind="problem">{problem}</Notice>}
        <Selling selling={selling} salesEmail={salesEmail} />
        {selling.is_open && !isOwner && (
          <Notice kind="info">Owners of this account buy credits. Ask one of them.</Notice>
        )}
        <ul class="packs">
          {cardPacks.map((pack) => (
            <Pack key={pack} pack={pack} view={packs.find((view) => view.pack === pack)} {...props} />
          ))}
        </ul>
        <p class="hint">
          Credits bought today expire on {lastDay}. The oldest are used first. Prices are in US dollars
          {selling.adds_tax === true ? ', plus tax where it applies' : ''}.
        </p>
        <Enterprise view={packs.find(({ pack }) => pack === 'enterprise')} salesEmail={salesEmail} />
        {orders.length > 0 && <Orders orders={orders} />}
      </>
    ),
  };
}

interface PackProps extends Pick<BuyProps, 'selling' | 'orderIds' | 'isOwner'> {
  readonly pack: CardPack;
  readonly view: PackView | undefined;
}

function Pack({ pack, view, selling, orderIds, isOwner }: PackProps) {
  if (!view || view.price_cents === null) return null;
  const { credits, price_cents: price } = view;
  return (
    <li class="card pack">
      <h2>{packNames[pack]}</h2>
      <p class="pack-price">{formatPrice(price)}</p>
      <p>
        <strong>{formatNumber(credits)} credits</strong>, {formatPrice(Math.round(price / credits))} each
      </p>
      <p class="hint">{whatItBuys(credits)}</p>
      {selling.is_open && isOwner && (
        <Form action={pagePaths.buy} hidden={{ pack, order_id: orderIds[pack] }}>
          <Button kind={pack === 'builder' ? 'primary' : 'plain'}>Buy {formatNumber(credits)} credits</Button>
        </Form>
      )}
    </li>
  );
}

/** What to know about paying here. */
function Selling({ selling, salesEmail }: Pick<BuyProps, 'selling' | 'salesEmail'>) {
  if (!selling.is_open) {
    return (
      <Notice kind="info">
        Credits cannot be bought by card here. <Contact salesEmail={salesEmail} />
      </Notice>
    );
  }
  return selling.is_test ? <Notice kind="warning">Test mode: payments move no money.</Notice> : null;
}

function Enterprise({
  view,
  salesEmail,
}: {
  readonly view: PackView | undefined;
  readonly salesEmail?: string;
}) {
  if (!view) return null;
  return (
    <p>
      More every month? <strong>Enterprise</strong> is {formatNumber(view.credits)} credits or more, from{' '}
      {formatPrice(view.price_cents_per_credit_min)} each, on an invoice. <Contact salesEmail={salesEmail} />
    </p>
  );
}
