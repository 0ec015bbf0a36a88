import {
  BooleanField,
  DomainListField,
  joinDomainsMax,
  OptionalField,
  sessionHoursMax,
} from '@app/contracts';
import { IntegerField } from '../validation/fields.js';

/** What is not given stays. */
export class SignInRulesBody {
  @OptionalField()
  @DomainListField(joinDomainsMax)
  join_domains?: string[];

  @OptionalField()
  @BooleanField()
  provider_only?: boolean;

  /** 0: as long as the session lasts. */
  @OptionalField()
  @IntegerField({ min: 0, max: sessionHoursMax })
  session_hours?: number;
}
