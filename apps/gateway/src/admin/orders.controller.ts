import {
  acceptOrder,
  getOrderReview,
  listOrderReviews,
  ListOrderReviewsRequest,
  type OrderReview,
  RefundBody,
  refundOrder,
  ResolutionBody,
  resolveOrder,
  OrderReviewPath,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { Path } from './parameters.js';

/** Packs bought by card, of all accounts: what operators see of them and do about them. */
@Area('accounts')
@Controller()
export class OrdersController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first; with `attention=true` only those that an operator has to look at. */
  @Get('orders')
  async list(
    @Query() query: ListOrderReviewsRequest,
    @CurrentCall() call: Call,
  ): Promise<{ orders: OrderReview[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listOrderReviews, query, call);
    return { orders: items, next_cursor };
  }

  @Get('orders/:order_id')
  show(@Path() order: OrderReviewPath, @CurrentCall() call: Call): Promise<OrderReview> {
    return this.services.request(getOrderReview, order, call);
  }

  /** Ends the problem of an order; again with the same resolution changes nothing. */
  @Post('orders/:order_id/resolve')
  @HttpCode(200)
  resolve(
    @Path() order: OrderReviewPath,
    @Body() body: ResolutionBody,
    @CurrentCall() call: Call,
  ): Promise<OrderReview> {
    return this.services.request(resolveOrder, { ...order, ...body }, call);
  }

  /** Refunds the rest of the payment; needs a key of Stripe that may refund. */
  @Post('orders/:order_id/refund')
  @HttpCode(200)
  refund(
    @Path() order: OrderReviewPath,
    @Body() body: RefundBody,
    @CurrentCall() call: Call,
  ): Promise<OrderReview> {
    return this.services.request(refundOrder, { ...order, ...body }, call);
  }

  /** Writes off the credits of an order that were not recovered. */
  @Post('orders/:order_id/accept')
  @HttpCode(200)
  accept(@Path() order: OrderReviewPath, @CurrentCall() call: Call): Promise<OrderReview> {
    return this.services.request(acceptOrder, order, call);
  }
}
