import {
  acceptOrder,
  getOrderReview,
  listOrderReviews,
  ListOrderReviewsRequest,
  type OrderReview,
  OrderReviewPath,
  type Page,
  refundOrder,
  RefundOrderRequest,
  resolveOrder,
  ResolveOrderRequest,
  retryPaymentEvents,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../../reports/common/reports-limit.interceptor.js';
import { PaymentEventsService } from '../inbox/payment-events.service.js';
import { OrderDecisionsService } from './order-decisions.service.js';
import { ReviewedOrdersService } from './reviewed-orders.service.js';

/** What operators ask about orders and the events of their payments, and do about them. */
@Controller()
export class OperatorsOrdersController {
  constructor(
    private readonly reviewed: ReviewedOrdersService,
    private readonly decisions: OrderDecisionsService,
    private readonly events: PaymentEventsService,
  ) {}

  @MessagePattern(listOrderReviews.pattern)
  @UseInterceptors(ReportsLimit)
  list(@Payload() request: ListOrderReviewsRequest): Promise<Page<OrderReview>> {
    return this.reviewed.list(request);
  }

  @MessagePattern(getOrderReview.pattern)
  show(@Payload() { order_id }: OrderReviewPath): Promise<OrderReview> {
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
  retry(@Ctx() context: MessageContext): Promise<{ readonly retried: number }> {
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
