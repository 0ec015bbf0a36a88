import {
  acceptOrder,
  describeSelling,
  getOrderReview,
  listOrderReviews,
  ListOrderReviewsRequest,
  listOrders,
  ListOrdersRequest,
  OrderPath,
  type OrderReview,
  OrderReviewPath,
  type OrderView,
  type Page,
  PaymentEventRequest,
  refreshOrder,
  refundOrder,
  RefundOrderRequest,
  resolveOrder,
  ResolveOrderRequest,
  retryPaymentEvents,
  type SellingView,
  startOrder,
  type StartOrderReply,
  StartOrderRequest,
  takePaymentEvent,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../reports/common/reports-limit.interceptor.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { OrderDecisionsService } from './operators/order-decisions.service.js';
import { ReviewedOrdersService } from './operators/reviewed-orders.service.js';
import { OrdersService } from './orders.service.js';
import { StartsLimit } from './payments-limits.interceptor.js';

/** Orders for their accounts; what operators ask about orders and the events of their payments, and do about them. */
@Controller()
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly events: PaymentEventsService,
    private readonly reviewed: ReviewedOrdersService,
    private readonly decisions: OrderDecisionsService,
  ) {}

  @MessagePattern(describeSelling.pattern)
  selling(): SellingView {
    return this.orders.selling();
  }

  @MessagePattern(startOrder.pattern)
  @UseInterceptors(StartsLimit)
  start(@Payload() request: StartOrderRequest): Promise<StartOrderReply> {
    return this.orders.start(request);
  }

  @MessagePattern(refreshOrder.pattern)
  refresh(@Payload() path: OrderPath): Promise<OrderView> {
    return this.orders.refresh(path);
  }

  @MessagePattern(listOrders.pattern)
  @UseInterceptors(ReportsLimit)
  list(@Payload() request: ListOrdersRequest): Promise<Page<OrderView>> {
    return this.orders.list(request);
  }

  @MessagePattern(takePaymentEvent.pattern)
  handleEvent(@Payload() request: PaymentEventRequest): Promise<{ readonly taken: true }> {
    return this.events.handleEvent(request);
  }

  @MessagePattern(listOrderReviews.pattern)
  @UseInterceptors(ReportsLimit)
  listReviews(@Payload() request: ListOrderReviewsRequest): Promise<Page<OrderReview>> {
    return this.reviewed.list(request);
  }

  @MessagePattern(getOrderReview.pattern)
  showReview(@Payload() { order_id }: OrderReviewPath): Promise<OrderReview> {
    return this.reviewed.show(order_id);
  }

  @MessagePattern(resolveOrder.pattern)
  async resolve(
    @Payload() request: ResolveOrderRequest,
    @Ctx() context: MessageContext,
  ): Promise<OrderReview> {
    await this.decisions.resolve(request, context);
    return this.reviewed.show(request.order_id);
  }

  @MessagePattern(refundOrder.pattern)
  async refund(
    @Payload() { order_id, reason }: RefundOrderRequest,
    @Ctx() { operator }: MessageContext,
  ): Promise<OrderReview> {
    await this.decisions.refund(order_id, reason, { operator });
    return this.reviewed.show(order_id);
  }

  @MessagePattern(retryPaymentEvents.pattern)
  retryEvents(@Ctx() context: MessageContext): Promise<{ readonly retried: number }> {
    return this.events.retry(context);
  }

  @MessagePattern(acceptOrder.pattern)
  async accept(
    @Payload() { order_id }: OrderReviewPath,
    @Ctx() context: MessageContext,
  ): Promise<OrderReview> {
    await this.decisions.accept(order_id, context);
    return this.reviewed.show(order_id);
  }
}
