import {
  describeSelling,
  listOrders,
  ListOrdersRequest,
  OrderPath,
  type OrderView,
  type Page,
  PaymentEventRequest,
  refreshOrder,
  refundOwnOrder,
  RefundOwnOrderRequest,
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
import { BuyersRefunds } from './buyers/buyers-refunds.service.js';
import { OrdersService } from './orders.service.js';
import { StartsLimit } from './payments-limits.interceptor.js';

@Controller()
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly buyersRefunds: BuyersRefunds,
    private readonly events: PaymentEventsService,
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

  @MessagePattern(refundOwnOrder.pattern)
  @UseInterceptors(StartsLimit)
  async refund(
    @Payload() request: RefundOwnOrderRequest,
    @Ctx() context: MessageContext,
  ): Promise<OrderView> {
    return this.orders.show(await this.buyersRefunds.refund(request, context));
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
}
