import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Readonly<Record<string, unknown>>;

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
}

const lifetimeSeconds = 300;

/** A small OpenID provider that vouches for whom a test says, without asking anybody. */
export class OpenIdTestProvider {
  static readonly clientId = 'creator-search';
  static readonly clientSecret = 'a secret of the client';
  /** About the person who signs in next, in the ID token. */
  claims: Claims = {};
  /** The same, told only to whom asks for it with an access token. */
  userinfo: Claims = {};
  private readonly grants = new Map<string, Grant>();
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly server: Server;

  private constructor() {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey;
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<OpenIdTestProvider> {
    const provider = new OpenIdTestProvider();
    await once(provider.server.listen(0, '127.0.0.1'), 'listening');
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const body = new URLSearchParams(await text(request));
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return sendJson(response, this.metadata());
      case '/keys':
        return sendJson(response, {
          keys: [{ ...this.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }],
        });
      case '/authorize':
        return void response.writeHead(302, { location: this.authorize(url.searchParams) }).end();
      case '/token':
        return this.token(body, response);
      case '/userinfo':
        return sendJson(response, { sub: 'person-1', ...this.userinfo });
      default:
        return void response.writeHead(404).end();
    }
  }

  private metadata(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
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
  private token(body: URLSearchParams, response: ServerResponse): void {
    const code = body.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient = body.get('client_secret') === OpenIdTestProvider.clientSecret;
    if (!grant || !isClient || grant.challenge !== challenge) {
      return sendJson(response, { error: 'invalid_grant' }, 400);
    }
    sendJson(response, {
      access_token: randomUUID(),
      token_type: 'bearer',
      id_token: this.idToken(grant.nonce),
    });
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
    const signed = [{ alg: 'RS256', kid: 'one' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(this.privateKey, 'base64url')}`;
  }
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
