import {
  type CardPack,
  cardPacks,
  describeSelling,
  listOrders,
  type OrderView,
  refreshOrder,
  ServiceError,
  startOrder,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Get, Inject } from '@nestjs/common';
import { SITE_ORIGIN } from '../../config/origins.js';
import { AccountData } from '../../data/account-data.js';
import { pagePaths, pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { nullIf } from '../../sessions/member-sessions.js';
import { refuse } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { buyPage, type BuyProps } from './buy.page.js';
import { isUnpaid, orderPage } from './order.page.js';
import { orderPath } from './orders.js';

const ordersShown = 20;
const unanswered: readonly string[] = ['unavailable', 'deadline_exceeded'];

/** `/account/buy`: owners buy credits; the payment itself is on a page of the payment provider. */
@MemberPages(pagePaths.buy)
export class BuyController {
  constructor(
    @Inject(SITE_ORIGIN) private readonly origin: string,
    private readonly services: ServiceClient,
    private readonly account: AccountData,
  ) {}

  @Get()
  show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return this.page(member);
  }

  /** The order is written before it is paid; the same form again is the same order. */
  @PostForm('', { page: 'show' })
  async order(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const pack = member.fields.choice('pack', cardPacks);
    if (!pack) throw new ServiceError('invalid_request', 'This pack does not exist.');
    const order_id = member.fields.id('order_id');
    const { person_id } = member.session;
    const request = { order_id, person_id, pack, pages_url: this.origin + pagesPrefix };
    const context = member.contextOfLongWork();
    try {
      return new SeeOther((await this.account.ask(member, startOrder, request, context)).checkout_url);
    } catch (error) {
      const isUnanswered = error instanceof ServiceError && unanswered.includes(error.code);
      if (!isUnanswered) throw error;
      return this.showUnstarted(member, order_id, pack);
    }
  }

  /** The payment page returns here, paid or not. */
  @Get(':order_id')
  async showOrder(@CurrentMember() member: MemberRequest): Promise<PageView> {
    const [order, selling] = await Promise.all([
      this.refresh(member, member.id('order_id')),
      this.services.request(describeSelling, {}, member.context()),
    ]);
    const { isOwner } = member;
    return orderPage({ order, selling, isOwner, returned: readReturned(member) });
  }

  /** After a start without an answer. The order may be an older one that was paid, so the page states only what is certain. */
  private async showUnstarted(member: MemberRequest, orderId: string, pack: CardPack): Promise<FormResult> {
    const order = await nullIf('not_found', this.refresh(member, orderId));
    if (order && !isUnpaid(order)) return new SeeOther(orderPath(order));
    const problem = 'The payment provider does not respond. You were not charged: try again in a moment.';
    // The same order again: its button works as soon as the payment provider does.
    const page = await this.page(member, { [pack]: orderId });
    return refuse(page, member.fields, new ServiceError('unavailable', problem));
  }

  /** Returns the order as the payment provider sees it now. */
  private refresh(member: MemberRequest, order_id: string): Promise<OrderView> {
    return this.account.ask(member, refreshOrder, { order_id }, member.contextOfLongWork());
  }

  /** Also after waiting for the payment provider, when the deadline of the request may have passed. */
  private async page(member: MemberRequest, orderIds: BuyProps['orderIds'] = {}): Promise<PageView> {
    const context = member.contextOfLongWork();
    const [selling, { items: orders }] = await Promise.all([
      this.services.request(describeSelling, {}, context),
      this.account.ask(member, listOrders, { limit: ordersShown }, context),
    ]);
    return buyPage({
      selling,
      orders,
      orderIds,
      isOwner: member.isOwner,
      isSuspended: member.session.account.is_suspended === true,
    });
  }
}

/** How often the page of the order was loaded since its buyer came back from paying; 0 for other visits. */
function readReturned({ fields }: MemberRequest): number {
  const text = fields.text('returned');
  return /^[1-9][0-9]?$/.test(text) ? Number(text) : 0;
}
