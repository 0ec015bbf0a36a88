/** Why a sign-in with the provider ended without a session: by reason, which the metric counts, the words for the person. */
export const refusalTexts = {
  declined:
    'You cancelled, or your company does not allow you to use this service. To get access, ask your administrator.',
  /** The provider sent the browser back with another error. Anyone can write one into the address. */
  provider_error:
    'Your company could not sign you in. Try again and follow its steps. If the problem continues, contact the operator of this service.',
  /** The provider does not answer us, or says that it can't now. */
  provider_unavailable: "Your company's sign-in does not respond. Try again in a minute.",
  /** The provider does not accept this client as it is set up, or cannot be used by it. */
  misconfigured:
    'Single sign-on is not set up correctly here. Contact the operator of this service, and sign in another way until then.',
  /** No sign-in with this state is in progress in this browser. */
  unknown_attempt:
    'This sign-in was started in another browser, was already used, or was started more than 10 minutes ago.',
  /** The response of the provider fails a check (signature, issuer, audience, nonce, times, subject), or it refuses the code. */
  answer_refused: 'Your company did not confirm who you are: this sign-in has expired or was already used.',
  no_address:
    'Your company gave us no email address for you. Ask your administrator to add one to your account there.',
  address_not_verified: 'Your company did not confirm that your email address is yours.',
  /** The address could be taken for another one. */
  address_refused:
    'The email address that your company gave us for you cannot be used here: it contains characters that can be mistaken for others, such as full-width letters.',
  /** Billing refuses this person; its message is shown instead. */
  not_admitted: 'You cannot sign in here with this account.',
};

export type RefusalReason = keyof typeof refusalTexts;

/** For the log: never a code, a token, a secret or a whole address. */
type RefusalDetails = Readonly<Record<string, string | number>>;

/** A sign-in with the provider that ends here; the page and the log say why. */
export class IdentityRefusal extends Error {
  /** `publicText`: what the person reads. */
  constructor(
    readonly reason: RefusalReason,
    readonly details: RefusalDetails = {},
    readonly publicText: string = refusalTexts[reason],
  ) {
    super(reason);
  }
}

const loggedLengthMax = 200;

/** A text of others for the log: short, and without the addresses that some providers name people with. */
export function loggable(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]+/g, ' ').replace(/\S+@\S+/g, '[address]');
  return plain.slice(0, loggedLengthMax);
}

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
      return said === 'access_denied' ? 'declined' : 'provider_error';
    case 'OAUTH_RESPONSE_BODY_ERROR':
      if (said === 'invalid_grant') return 'answer_refused';
      return ['temporarily_unavailable', 'server_error'].includes(said)
        ? 'provider_unavailable'
        : 'misconfigured';
    // The client is refused before anything else is looked at.
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return 'misconfigured';
    default:
      return /_SERVER_METADATA$|_FORBIDDEN$/.test(code) ? 'misconfigured' : 'answer_refused';
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
