/** Injection token of `SignInOptions`. */
export const SIGN_IN_OPTIONS = Symbol('SIGN_IN_OPTIONS');

/** Who may sign in; from the configuration of the service. */
export interface SignInOptions {
  /** Whether who signs in with an unknown address gets an account. */
  readonly isSignUpOpen: boolean;
}

/** A mail's link and code are good for this long. */
export const mailedForMs = 10 * 60_000;
/** An operator's link, which is passed on by hand. */
export const operatorsLinkForMs = 60 * 60_000;

/** Mails to one address within `mailsWindowMs`. */
export const mailsMax = 5;
export const mailsWindowMs = 15 * 60_000;

/** Sign-ins are kept for this long, for the bounds on wrong codes. */
export const keptForMs = 24 * 3_600_000;
