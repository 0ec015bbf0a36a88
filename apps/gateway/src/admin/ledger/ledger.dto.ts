import { DayField, OptionalField } from '@app/contracts';

export class UsageQuery {
  @OptionalField()
  @DayField()
  from?: string;

  @OptionalField()
  @DayField()
  to?: string;
}
