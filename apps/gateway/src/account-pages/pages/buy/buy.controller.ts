import {
  type CardPack,
  cardPacks,
  describeSelling,
  listOrders,
  listPacks,
  type OrderPath,
  type OrderView,
  refreshOrder,
  ServiceError,
  startOrder,
  type StartOrderRequest,
} from '@app/contracts';
import { CONFIG } from '@app/platform';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Get, Inject, Param, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { publicOrigin, type PublicOriginConfig } from '../../../http/server/public-origin.js';
import { pagePaths, pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { buyPage, type BuyProps } from './buy.page.js';
import { orderPage } from './order.page.js';
import { isUnpaid } from './order-state.js';
import { orderPath } from './orders.js';
import { receiptPage } from './receipt.page.js';

const ordersShown = 20;

interface BuyConfig extends PublicOriginConfig {
  readonly SALES_EMAIL?: string;
  readonly SELLER?: string;
}

/** `/account/buy`: owners buy credits; the payment itself is on a page of the payment provider. */
@MemberPages(pagePaths.buy)
export class BuyController {
  private readonly pagesUrl: string;

  constructor(
    @Inject(CONFIG) private readonly config: BuyConfig,
    private readonly services: ServiceClient,
  ) {
    this.pagesUrl = publicOrigin(config) + pagesPrefix;
  }

  @Get()
  show(@CurrentVisit() visit: Visit): Promise<PageView> {
    return this.page(visit, {}, visit.context());
  }

  /** The order is written before anybody pays; the same form again is the same order. */
  @Post()
  async order(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = {
      account_id: visit.accountId,
      order_id: readId(form.text('order_id')),
      person_id: visit.session.person_id,
      pack: readPack(form.text('pack')),
      pages_url: this.pagesUrl,
    };
    try {
      const { checkout_url } = await this.services.request(startOrder, request, visit.contextOfLongWork());
      return new SeeOther(checkout_url);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'conflict') {
        return this.page(visit, { problem: error.message, status: 409 }, visit.contextOfLongWork());
      }
      if (error.code !== 'unavailable' && error.code !== 'deadline_exceeded') throw error;
      return this.showUnstarted(visit, request);
    }
  }

  /** Where the payment page leads back to, paid or not. */
  @Get(':order_id')
  async showOrder(
    @CurrentVisit() visit: Visit,
    @Param('order_id') orderId: string,
    @Parameters() parameters: FormFields,
  ): Promise<PageView> {
    const path = { account_id: visit.accountId, order_id: readId(orderId) };
    const [order, selling] = await Promise.all([
      this.services.request(refreshOrder, path, visit.contextOfLongWork()),
      this.services.request(describeSelling, {}, visit.context()),
    ]);
    return orderPage({
      order,
      selling,
      isOwner: visit.isOwner,
      salesEmail: this.config.SALES_EMAIL,
      returned: readReturned(parameters),
    });
  }

  /** Of a paid order, to be printed or saved. */
  @Get(':order_id/receipt')
  async showReceipt(@CurrentVisit() visit: Visit, @Param('order_id') orderId: string): Promise<PageView> {
    const path = { account_id: visit.accountId, order_id: readId(orderId) };
    const order = await this.services.request(refreshOrder, path, visit.contextOfLongWork());
    if (order.granted_at === null) throw new ServiceError('not_found', 'This order has no receipt.');
    const { account } = visit.session;
    return receiptPage({ order, paidAt: order.granted_at, buyer: account.name, seller: this.config.SELLER });
  }

  /** After a start without an answer. The order may be an older one that has been paid, so nothing is said that is not certain. */
  private async showUnstarted(
    visit: Visit,
    { account_id, order_id, pack }: StartOrderRequest,
  ): Promise<PageView | SeeOther> {
    const order = await this.findOrder(visit, { account_id, order_id });
    if (order && !isUnpaid(order)) return new SeeOther(orderPath(order));
    const problem =
      'The payment provider does not answer. Nothing was taken from you: try again in a moment.';
    // The same order again: its button works as soon as the payment provider does.
    const orderIds = { ...newOrderIds(), [pack]: order_id };
    return this.page(visit, { problem, status: 503, orderIds }, visit.contextOfLongWork());
  }

  private async findOrder(visit: Visit, path: OrderPath): Promise<OrderView | null> {
    try {
      return await this.services.request(refreshOrder, path, visit.contextOfLongWork());
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** `context`: that of long work once the payment provider was waited for, when the deadline of the request may be over. */
  private async page(visit: Visit, props: Partial<BuyProps>, context: RequestContext): Promise<PageView> {
    const list = { account_id: visit.accountId, limit: ordersShown };
    const [selling, { packs }, orders] = await Promise.all([
      this.services.request(describeSelling, {}, context),
      this.services.request(listPacks, {}, context),
      this.services.request(listOrders, list, context),
    ]);
    return buyPage({
      selling,
      packs,
      orders: orders.items,
      orderIds: newOrderIds(),
      isOwner: visit.isOwner,
      salesEmail: this.config.SALES_EMAIL,
      now: Date.now(),
      ...props,
    });
  }
}

function newOrderIds(): BuyProps['orderIds'] {
  return { trial: uuidv7(), builder: uuidv7(), scale: uuidv7() };
}

/** How often the page of the order was loaded since its buyer came back from paying; 0 for other visits. */
function readReturned(parameters: FormFields): number {
  const text = parameters.text('returned');
  return /^[1-9][0-9]?$/.test(text) ? Number(text) : 0;
}

function readPack(text: string): CardPack {
  const pack = cardPacks.find((name) => name === text);
  if (pack) return pack;
  throw new ServiceError('invalid_request', 'There is no such pack.');
}
