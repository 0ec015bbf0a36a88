import { Domains, Flag, Integer, joinDomainsMax, sessionHoursMax } from '@app/contracts';

/** What is not given stays. */
export class SignInRulesBody {
  @Domains({ max: joinDomainsMax, optional: true })
  readonly join_domains?: readonly string[];

  @Flag({ optional: true })
  readonly provider_only?: boolean;

  /** 0: as long as the session lasts. */
  @Integer({ max: sessionHoursMax, optional: true })
  readonly session_hours?: number;
}
