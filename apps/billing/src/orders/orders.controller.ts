import {
  describeSelling,
  listOrders,
  ListOrdersRequest,
  OrderPath,
  type OrderView,
  type Page,
  PaymentEventRequest,
  refreshOrder,
  type SellingView,
  startOrder,
  type StartOrderReply,
  StartOrderRequest,
  takePaymentEvent,
} from '#contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../reports/common/reports-limit.interceptor.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { OrdersService } from './orders.service.js';
import { StartsLimit } from './payments-limits.interceptor.js';

@Controller()
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
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
