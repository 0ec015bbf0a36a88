import { type CardPack, cardPacks, dayMs, fixedPacks, type OrderView, type SellingView } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { Callout, Card } from '../../components/display.js';
import { Action } from '../../components/form.js';
import { DataTable } from '../../components/table.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatDate } from '../../view/dates.js';
import { formatNumber } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { orderColumns } from './orders.js';
import { Contact, EnterprisePack, lifetimeDays, Pack } from './packs.js';

export interface BuyProps {
  readonly selling: SellingView;
  readonly orders: readonly OrderView[];
  /** The order of which a pack's button is, unless a new one: the same form sent twice is one order. */
  readonly orderIds: Readonly<Partial<Record<CardPack, string>>>;
  /** Only owners buy. */
  readonly isOwner: boolean;
  /** A suspended account can't buy. */
  readonly isSuspended: boolean;
}

/** The packs that can be bought by card, and what was ordered before. */
export function buyPage({ selling, orders, orderIds, isOwner, isSuspended }: BuyProps): PageView {
  const lastDay = formatDate(new Date(Date.now() + lifetimeDays * dayMs).toISOString());
  return {
    title: 'Buy credits',
    section: 'buy',
    answer: `Pay once, use within ${lifetimeDays} days`,
    formTarget: selling.checkout_origin,
    body: (
      <>
        {!selling.is_open && (
          <Callout kind="neutral">
            Buying credits by card is not available here. <Contact />
          </Callout>
        )}
        {selling.is_open && selling.is_test && (
          <Callout kind="warning">Test mode: no real money is charged.</Callout>
        )}
        {selling.is_open && !isOwner && (
          <Callout kind="neutral">Only owners of this account can buy credits. Ask one of them.</Callout>
        )}
        <ul class="packs">
          {cardPacks.map((pack) => (
            <Pack key={pack} pack={pack}>
              {selling.is_open && isOwner && !isSuspended && (
                <Action
                  action={pagePaths.buy}
                  hidden={{ pack, order_id: orderIds[pack] ?? uuidv7() }}
                  kind={pack === 'builder' ? 'primary' : 'plain'}
                  verb={`Buy ${formatNumber(fixedPacks[pack].credits)} credits`}
                />
              )}
            </Pack>
          ))}
          <EnterprisePack />
        </ul>
        <p class="hint">
          Credits bought today expire on {lastDay}. The oldest are used first. Prices are in US dollars
          {selling.adds_tax ? ', plus tax where it applies' : ''}.
          {selling.makes_invoices &&
            ' You get an invoice for every payment. Enter your company, its address and its tax ID when you pay.'}
        </p>
        {orders.length > 0 && (
          <Card title="Orders">
            <DataTable caption="Orders" columns={orderColumns} rows={orders} />
          </Card>
        )}
      </>
    ),
  };
}
