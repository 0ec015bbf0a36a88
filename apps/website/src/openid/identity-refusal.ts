/** Why a sign-in with the provider ended without a session: a closed list, which the metric counts by. */
export const refusalReasons = [
  /** The person or their administrator said no. */
  'declined',
  /** The provider wants something of the person first. */
  'interaction_needed',
  /** The provider sent the browser back with another error. Anyone can write one into the address. */
  'provider_error',
  /** The provider does not answer us, or says that it can't now. */
  'provider_unavailable',
  /** The provider does not accept this client as it is set up, or cannot be used by it. */
  'misconfigured',
  /** No sign-in with this state is in progress in this browser. */
  'unknown_attempt',
  /** The provider does not know the code, or knows it as another sign-in's. */
  'code_refused',
  /** The response of the provider fails the checks: signature, issuer, audience, nonce, times, subject. */
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
interface RefusalDetails {
  /** The failed check, in its own words. */
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
  /** `publicText`: what the person reads instead of the text for the reason. */
  constructor(
    readonly reason: RefusalReason,
    readonly details: RefusalDetails = {},
    readonly publicText?: string,
  ) {
    super(reason);
  }

  /** Adds details for the log. */
  with(details: RefusalDetails): IdentityRefusal {
    return new IdentityRefusal(this.reason, { ...this.details, ...details }, this.publicText);
  }
}

const loggedLengthMax = 200;

/** A text of others for the log: short, and without the addresses that some providers name people with. */
export function loggable(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]+/g, ' ').replace(/\S+@\S+/g, '[address]');
  return plain.slice(0, loggedLengthMax);
}

const interactionErrors = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const transientErrors = ['temporarily_unavailable', 'server_error'];
const metadataErrors = [
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
];

/** Maps an error of the OpenID library; `undefined` for any other. The causes of such errors hold tokens and codes. */
export function refusalOf(error: unknown): IdentityRefusal | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof IdentityRefusal) return error;
  if (error.cause instanceof IdentityRefusal) return error.cause;
  const code = textOf(error, 'code');
  if (error.name !== 'ClientError' && !code.startsWith('OAUTH_')) return undefined;
  return new IdentityRefusal(reasonOf(code, textOf(error, 'error')), detailsOf(error));
}

function reasonOf(code: string, said: string): RefusalReason {
  switch (code) {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      if (said === 'access_denied') return 'declined';
      return interactionErrors.includes(said) ? 'interaction_needed' : 'provider_error';
    case 'OAUTH_RESPONSE_BODY_ERROR':
      if (said === 'invalid_grant') return 'code_refused';
      return transientErrors.includes(said) ? 'provider_unavailable' : 'misconfigured';
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return 'provider_unavailable';
    // The client is refused before anything else is looked at.
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return 'misconfigured';
    default:
      return metadataErrors.includes(code) ? 'misconfigured' : 'answer_refused';
  }
}

function detailsOf(error: Error): RefusalDetails {
  const [said, described] = [textOf(error, 'error'), textOf(error, 'error_description')];
  const status: unknown = Reflect.get(error, 'status');
  // The library's own words: they name what did not fit, and hold nothing that was sent.
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return {
    problem: loggable(error.message + inner),
    ...(said && { provider_error: loggable(said) }),
    ...(described && { provider_description: loggable(described) }),
    ...(typeof status === 'number' && { status }),
  };
}

/** A field of an error of the library; empty if it is no text. */
function textOf(error: Error, field: 'code' | 'error' | 'error_description'): string {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : '';
}
