import { Day } from '@app/contracts';

export class UsageQuery {
  @Day({ optional: true })
  readonly from?: string;

  @Day({ optional: true })
  readonly to?: string;
}
