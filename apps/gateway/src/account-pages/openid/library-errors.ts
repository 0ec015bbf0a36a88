import { IdentityRefusal, loggable, type RefusalDetails, type RefusalReason } from './identity-refusal.js';

const askThePerson = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const passing = ['temporarily_unavailable', 'server_error'];
const ofMetadata = [
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
];

/** What an error of the OpenID library means; `undefined` for any other error. Its own causes hold tokens and codes. */
export function refusalOf(error: unknown): IdentityRefusal | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof IdentityRefusal) return error;
  if (error.cause instanceof IdentityRefusal) return error.cause;
  const { code = '', error: said = '' } = fieldsOf(error);
  if (error.name !== 'ClientError' && !code.startsWith('OAUTH_')) return undefined;
  return new IdentityRefusal(reasonOf(code, said), detailsOf(error));
}

function reasonOf(code: string, said: string): RefusalReason {
  switch (code) {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      if (said === 'access_denied') return 'declined';
      return askThePerson.includes(said) ? 'interaction_needed' : 'provider_error';
    case 'OAUTH_RESPONSE_BODY_ERROR':
      if (said === 'invalid_grant') return 'code_refused';
      return passing.includes(said) ? 'provider_unavailable' : 'misconfigured';
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return 'provider_unavailable';
    // The client is refused before anything else is looked at.
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return 'misconfigured';
    default:
      return ofMetadata.includes(code) ? 'misconfigured' : 'answer_refused';
  }
}

function detailsOf(error: Error): RefusalDetails {
  const { error: said, error_description: described } = fieldsOf(error);
  const status: unknown = Reflect.get(error, 'status');
  // The library's own words: they name what did not fit, and hold nothing that was sent.
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return {
    problem: loggable(error.message + inner),
    ...(said === undefined ? {} : { provider_error: loggable(said) }),
    ...(described === undefined ? {} : { provider_description: loggable(described) }),
    ...(typeof status === 'number' ? { status } : {}),
  };
}

interface Fields {
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

function fieldsOf(error: Error): Fields {
  const text = (field: keyof Fields): string | undefined => {
    const value: unknown = Reflect.get(error, field);
    return typeof value === 'string' ? value : undefined;
  };
  return { code: text('code'), error: text('error'), error_description: text('error_description') };
}
