import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  acceptOrder,
  getOrderReview,
  listOrderReviews,
  type OrderReview,
  refundOrder,
  resolveOrder,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { CallContext } from '../call-context.js';
import { namedPage } from '../validation/page.query.js';
import { orderId } from '../validation/resource-id.pipe.js';
import { OrdersQuery, RefundBody, ResolutionBody } from './orders.dto.js';

/** Packs bought by card, of all accounts: what operators see of them and do about them. */
@Controller('orders')
export class OrdersController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first; with `attention=true` only those that an operator has to look at. */
  @Get()
  async list(
    @Query() query: OrdersQuery,
    @CallContext() context: RequestContext,
  ): Promise<{ orders: OrderReview[]; next_cursor: string | null }> {
    return namedPage('orders', await this.services.request(listOrderReviews, query, context));
  }

  @Get(':order_id')
  show(@Param('order_id', orderId) id: string, @CallContext() context: RequestContext): Promise<OrderReview> {
    return this.services.request(getOrderReview, { order_id: id }, context);
  }

  /** Ends the problem of an order; again with the same resolution changes nothing. */
  @Post(':order_id/resolve')
  @HttpCode(200)
  resolve(
    @Param('order_id', orderId) id: string,
    @Body() { resolution }: ResolutionBody,
    @CallContext() context: RequestContext,
  ): Promise<OrderReview> {
    return this.services.request(resolveOrder, { order_id: id, resolution }, context);
  }

  /** Gives back all that is left of the payment; needs a key of Stripe that may refund. */
  @Post(':order_id/refund')
  @HttpCode(200)
  refund(
    @Param('order_id', orderId) id: string,
    @Body() body: RefundBody,
    @CallContext() context: RequestContext,
  ): Promise<OrderReview> {
    return this.services.request(refundOrder, { order_id: id, ...body }, context);
  }

  /** Leaves an order as it is: answers a warning of fraud, and writes off credits that were not recovered. */
  @Post(':order_id/accept')
  @HttpCode(200)
  accept(
    @Param('order_id', orderId) id: string,
    @CallContext() context: RequestContext,
  ): Promise<OrderReview> {
    return this.services.request(acceptOrder, { order_id: id }, context);
  }
}
