/** Why a sign-in with the provider ended without a session: a closed list, which the metric counts by. */
export const refusalReasons = [
  /** The person or their administrator said no. */
  'declined',
  /** The provider wants something of the person first. */
  'interaction_needed',
  /** The provider sent the browser back with another error. Anybody can write one into the address. */
  'provider_error',
  /** The provider does not answer us, or says that it can't now. */
  'provider_unavailable',
  /** The provider told us that it does not accept this client as it is set up, or can't be used by it. */
  'misconfigured',
  /** No sign-in with this state is under way in this browser. */
  'unknown_attempt',
  /** The provider does not know the code, or knows it as another sign-in's. */
  'code_refused',
  /** What the provider sent does not stand up to the checks: signature, issuer, audience, nonce, times, subject. */
  'answer_refused',
  'no_address',
  'address_not_verified',
  /** The address could be taken for another one. */
  'address_refused',
  /** Billing has no account for this person, or an account's rules refuse them. */
  'not_admitted',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** For the log: never a code, a token, a secret or a whole address. */
export interface RefusalDetails {
  /** What did not fit, in the words of the one who noticed. */
  readonly problem?: string;
  /** The `error` that the provider sent. */
  readonly provider_error?: string;
  readonly provider_description?: string;
  readonly status?: number;
  readonly subject?: string;
  readonly email_domain?: string;
}

/** A sign-in with the provider that ends here; the page and the log say why. */
export class IdentityRefusal extends Error {
  /** `told`: what the person reads instead of the words of the reason. */
  constructor(
    readonly reason: RefusalReason,
    readonly details: RefusalDetails = {},
    readonly told?: string,
  ) {
    super(reason);
  }

  /** The same with more for the log. */
  with(details: RefusalDetails): IdentityRefusal {
    return new IdentityRefusal(this.reason, { ...this.details, ...details }, this.told);
  }
}

const loggedLengthMax = 200;

/** A text of others for the log: short, and without the addresses that some providers name people with. */
export function loggable(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]+/g, ' ').replace(/\S+@\S+/g, '[address]');
  return plain.slice(0, loggedLengthMax);
}
