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
  type SellingView,
  startOrder,
  type StartOrderReply,
  StartOrderRequest,
  takePaymentEvent,
} from '#contracts';
import { FairQueue } from '#platform';
import { MessageContext } from '#transport';
import { Controller, Injectable, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { MessagesLimit, ReportsLimit } from '../reports/common/reports-limit.interceptor.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { ReviewedOrdersService } from './operators/reviewed-orders.service.js';
import { OrdersService } from './orders.service.js';

/** A quarter of the messages that a replica handles at once, and two of an account, so that calls continue while Stripe is slow. None waits. */
const bounds = { atOnceMax: 16, shareMax: 2, waitingMax: 0, waitingOfKeyMax: 0, waitMaxMs: 0 };

/** Bounds the purchases that wait for Stripe, and those of one account. */
@Injectable()
export class StartsLimit extends MessagesLimit {
  constructor() {
    super(new FairQueue(bounds), 'Too many payments are being processed; try again shortly.');
  }
}

/** Orders, for their accounts; orders and the events of their payments, for operators. */
@Controller()
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly events: PaymentEventsService,
    private readonly reviewed: ReviewedOrdersService,
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
  showReview(@Payload() path: OrderReviewPath): Promise<OrderReview> {
    return this.reviewed.show(path);
  }

  @MessagePattern(resolveOrder.pattern)
  resolve(@Payload() request: ResolveOrderRequest, @Ctx() context: MessageContext): Promise<OrderReview> {
    return this.reviewed.resolve(request, context);
  }

  @MessagePattern(refundOrder.pattern)
  refund(@Payload() request: RefundOrderRequest, @Ctx() context: MessageContext): Promise<OrderReview> {
    return this.reviewed.refund(request, context);
  }

  @MessagePattern(acceptOrder.pattern)
  accept(@Payload() path: OrderReviewPath, @Ctx() context: MessageContext): Promise<OrderReview> {
    return this.reviewed.accept(path, context);
  }
}
