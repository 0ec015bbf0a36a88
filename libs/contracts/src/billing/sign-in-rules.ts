import { message, neverResent } from '../message.js';
import { Domains } from '../email.js';
import { Flag, Id, Integer } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { AccountPath } from './accounts.js';
import { SessionRequest } from './sign-in.js';

export const joinDomainsMax = 20;
/** As long as a session lasts that is not used. */
export const sessionHoursMax = 720;

/** How people have to sign in to an account, and who may join it. */
export interface SignInRules {
  /** People with an address of these domains may join as members; by name. */
  readonly join_domains: readonly string[];
  /** It is shown only in sessions that were opened through the OpenID provider, or by a link of an operator. */
  readonly provider_only: boolean;
  /** It is shown for so long after a sign-in; `null`: as long as the session lasts. */
  readonly session_hours: number | null;
}

export class ChangeSignInRulesRequest extends SessionRequest {
  @Id()
  readonly account_id: string;

  /** Absent: unchanged. */
  @Flag({ optional: true })
  readonly provider_only?: boolean;

  /** 0: as long as the session lasts. */
  @Integer({ max: sessionHoursMax })
  readonly session_hours: number;
}

export class SignInRulesBody {
  @Domains({ max: joinDomainsMax, optional: true })
  readonly join_domains?: readonly string[];

  @Flag({ optional: true })
  readonly provider_only?: boolean;

  /** 0: as long as the session lasts. */
  @Integer({ max: sessionHoursMax, optional: true })
  readonly session_hours?: number;
}

export class SetSignInRulesRequest extends Both(AccountPath, SignInRulesBody) {}

/** `not_found` without the account. */
export const getSignInRules = message<AccountPath, SignInRules>('billing', 'get_sign_in_rules', AccountPath);
/**
 * For owners, in a session that shows the account. `forbidden` for anyone else, and for `provider_only` in a session that was not
 * opened through the provider: it would lock out the owner who switches it on. Never resent: it would undo a newer change.
 */
export const changeSignInRules = message<ChangeSignInRulesRequest, SignInRules>(
  'billing',
  'change_sign_in_rules',
  ChangeSignInRulesRequest,
  neverResent,
);
/** For operators: an absent field is unchanged. `not_found` without the account. Never resent: it would undo a newer change. */
export const setSignInRules = message<SetSignInRulesRequest, SignInRules>(
  'billing',
  'set_sign_in_rules',
  SetSignInRulesRequest,
  neverResent,
);
