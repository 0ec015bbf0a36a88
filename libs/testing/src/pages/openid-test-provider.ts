import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OpenIdTestKeys, type SignedBy } from './openid-test-keys.js';

type Claims = Readonly<Record<string, unknown>>;

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
}

/** How the client shows its secret at the token endpoint, by the names of the standard. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post';

const lifetimeSeconds = 300;

/**
 * A small OpenID provider that vouches for whom a test says, without asking anybody. By itself it keeps to the standard:
 * a client shows its secret with `Basic`, which is what metadata without `token_endpoint_auth_methods_supported` mean.
 */
export class OpenIdTestProvider {
  /** With characters that `Basic` has to encode, as the secret. */
  static readonly clientId = 'creator search:1';
  static readonly clientSecret = 'a secret+of: the client, 50% & £';
  /** About the person who signs in next, in the ID token. */
  claims: Claims = {};
  /** Claims for requests with an access token. */
  userinfo: Claims = {};
  /** What the token endpoint takes and the metadata name; `undefined`: they say nothing. */
  authMethods: readonly ClientAuthMethod[] | undefined;
  /** Instead of what the metadata say otherwise. */
  metadata: Claims = {};
  signedBy: SignedBy = 'own key';
  /** A provider that does not know PKCE. */
  ignoresPkce = false;
  /** Answers of a test's own, by path below the issuer. */
  readonly scripted = new Map<string, (response: ServerResponse) => void>();
  /** Paths below the issuer that were asked for. */
  readonly asked: string[] = [];
  private readonly keys = new OpenIdTestKeys();
  private readonly grants = new Map<string, Grant>();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** `path`: of the issuer, such as that of one tenant among many. */
  constructor(private readonly path = '') {}

  async start(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  /** The configuration of a gateway whose members sign in here. */
  get environment(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: OpenIdTestProvider.clientId,
      OIDC_CLIENT_SECRET: OpenIdTestProvider.clientSecret,
    };
  }

  /** Keeps to the standard again. */
  reset(): void {
    this.claims = {};
    this.userinfo = {};
    this.authMethods = undefined;
    this.metadata = {};
    this.signedBy = 'own key';
    this.ignoresPkce = false;
    this.scripted.clear();
    this.asked.length = 0;
  }

  /** Signs with a new key from now on; the old one is no longer published. */
  rotateKeys(): void {
    this.keys.rotate();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const body = new URLSearchParams(await text(request));
    const path = url.pathname.slice(this.path.length);
    this.asked.push(path);
    const scripted = this.scripted.get(path);
    if (scripted) return scripted(response);
    switch (path) {
      case '/.well-known/openid-configuration':
        return sendJson(response, this.describe());
      case '/keys':
        return sendJson(response, { keys: [this.keys.published] });
      case '/authorize':
        return void response.writeHead(302, { location: this.authorize(url.searchParams) }).end();
      case '/token':
        return this.token(body, request.headers.authorization, response);
      case '/userinfo':
        return sendJson(response, { sub: 'person-1', ...this.userinfo });
      default:
        return void response.writeHead(404).end();
    }
  }

  private describe(): Claims {
    const { issuer, authMethods } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(authMethods ? { token_endpoint_auth_methods_supported: authMethods } : {}),
      ...this.metadata,
    };
  }

  private authorize(parameters: URLSearchParams): string {
    const code = randomUUID();
    this.grants.set(code, {
      challenge: parameters.get('code_challenge') ?? '',
      nonce: parameters.get('nonce') ?? '',
    });
    const back = new URL(parameters.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', parameters.get('state') ?? '');
    return back.href;
  }

  /** A code counts once, for the client with its secret and for who began (PKCE). */
  private token(body: URLSearchParams, authorization: string | undefined, response: ServerResponse): void {
    if (!this.isClient(body, authorization)) {
      response.setHeader('www-authenticate', 'Basic realm="clients"');
      return sendJson(response, { error: 'invalid_client' }, 401);
    }
    const code = body.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || (grant.challenge !== challenge && !this.ignoresPkce)) {
      return sendJson(response, { error: 'invalid_grant' }, 400);
    }
    sendJson(response, {
      access_token: randomUUID(),
      token_type: 'bearer',
      id_token: this.idToken(grant.nonce),
    });
  }

  private isClient(body: URLSearchParams, authorization: string | undefined): boolean {
    const [id, secret] = authorization
      ? credentialsOf(authorization)
      : [body.get('client_id'), body.get('client_secret')];
    const method = authorization ? 'client_secret_basic' : 'client_secret_post';
    const isTaken = (this.authMethods ?? ['client_secret_basic']).includes(method);
    return isTaken && id === OpenIdTestProvider.clientId && secret === OpenIdTestProvider.clientSecret;
  }

  private idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      sub: 'person-1',
      aud: OpenIdTestProvider.clientId,
      iat: now,
      exp: now + lifetimeSeconds,
      nonce,
      ...this.claims,
    };
    return this.keys.sign(claims, this.signedBy, OpenIdTestProvider.clientSecret);
  }
}

/** Both are form-encoded before they are joined (RFC 6749, 2.3.1). */
function credentialsOf(authorization: string): (string | null)[] {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('latin1');
  return pair.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'));
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
