import {
  ChoiceField,
  IdField,
  OptionalField,
  type OrderResolution,
  orderResolutions,
  type RefundReason,
  refundReasons,
} from '@app/contracts';
import { Transform } from 'class-transformer';
import { PageQuery } from '../validation/page.query.js';

export class OrdersQuery extends PageQuery {
  @OptionalField()
  @ChoiceField(['true', 'false'])
  attention?: 'true' | 'false';

  @OptionalField()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @IdField()
  account_id?: string;
}

export class ResolutionBody {
  @ChoiceField(orderResolutions)
  resolution: OrderResolution;
}

export class RefundBody {
  @OptionalField()
  @ChoiceField(refundReasons)
  reason?: RefundReason;
}
