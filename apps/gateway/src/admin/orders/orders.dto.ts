import {
  Choice,
  Flag,
  Id,
  type OrderResolution,
  orderResolutions,
  type RefundReason,
  refundReasons,
} from '@app/contracts';
import { PageQuery } from '../validation/page.query.js';

export class OrdersQuery extends PageQuery {
  @Flag({ optional: true })
  readonly attention?: boolean;

  @Id({ optional: true })
  readonly account_id?: string;
}

export class ResolutionBody {
  @Choice(orderResolutions)
  readonly resolution: OrderResolution;
}

export class RefundBody {
  @Choice(refundReasons, { optional: true })
  readonly reason?: RefundReason;
}
