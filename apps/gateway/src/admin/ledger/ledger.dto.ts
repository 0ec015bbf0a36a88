import { DayParameter, OptionalField } from '../validation/fields.js';

export class UsageQuery {
  @OptionalField()
  @DayParameter()
  from?: string;

  @OptionalField()
  @DayParameter()
  to?: string;
}
