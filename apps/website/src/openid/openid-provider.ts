import { type SignInWithIdentityRequest } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import type * as OpenIdClient from 'openid-client';
import { type ClientAuth, type Configuration, type ServerMetadata } from 'openid-client';
import { type WebsiteConfig } from '../config/website-config.js';
import { IdentityRefusal, refusalOf } from './identity-refusal.js';
import { providerFetch } from './provider-fetch.js';
import { type Claims, isComplete, verifiedAddress } from './verified-address.js';

/** Secrets of one sign-in, which stay in the browser in which it began. */
export interface OpenIdAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE. */
  readonly verifier: string;
}

/** A person whose identity the provider has verified; the address is in the compared form. */
export type VerifiedIdentity = Pick<SignInWithIdentityRequest, 'issuer' | 'subject' | 'email'>;

/** Loaded at the first sign-in. */
type OpenId = typeof OpenIdClient;

/** The time limit for all requests to the provider during one request. */
const timeoutMs = 4_000;
const clockToleranceSeconds = 60;
/** A provider may move its endpoints: it is asked again after so long, and after a failure. */
const metadataMs = 600_000;
/** Requests that may wait for the provider at once. */
const waitingMax = 256;

/** The OpenID provider of the configuration. */
@Injectable()
export class OpenIdProvider {
  private waiting = 0;
  /** Requested at a sign-in and shared by all. */
  private known: { readonly metadata: Promise<ServerMetadata>; readonly until: number } | undefined;

  constructor(@Inject(CONFIG) private readonly config: WebsiteConfig) {}

  /** `undefined`: none is configured. */
  get issuer(): string | undefined {
    return this.config.OIDC_ISSUER;
  }

  /**
   * The address at the provider, and the secrets needed when the browser comes back. `chooseAccount`: the provider asks who it
   * is, even a person whom it knows already. Throws `IdentityRefusal`, also when too many wait for the provider.
   */
  begin(redirectUri: string, chooseAccount: boolean) {
    return this.withProvider(async (openid, client) => {
      const attempt: OpenIdAttempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        // With the profile comes the user name, which counts as an address only for trusted domains.
        scope: this.config.OIDC_TRUST_EMAIL_DOMAINS ? 'openid email profile' : 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        ...(chooseAccount ? { prompt: promptToChoose(client.serverMetadata()) } : {}),
      });
      return { url, attempt };
    });
  }

  /** Throws `IdentityRefusal` when the provider does not vouch for an address that can be used, as for `begin`. */
  finish(callbackUrl: URL, { state, nonce, verifier }: OpenIdAttempt): Promise<VerifiedIdentity> {
    return this.withProvider(async (openid, client) => {
      const tokens = await openid.authorizationCodeGrant(client, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new IdentityRefusal('answer_refused', { problem: 'there is no ID token' });
      const { iss: issuer, sub: subject } = claims;
      if (!/^[\x21-\x7e]{1,255}$/.test(subject)) {
        throw new IdentityRefusal('answer_refused', { problem: 'sub is not 1 to 255 ASCII characters' });
      }
      try {
        const hasMore = client.serverMetadata().userinfo_endpoint !== undefined && !isComplete(claims);
        const userinfo: Claims = hasMore
          ? await openid.fetchUserInfo(client, tokens.access_token, subject)
          : {};
        const email = verifiedAddress(claims, userinfo, this.config.OIDC_TRUST_EMAIL_DOMAINS);
        return { issuer, subject, email };
      } catch (error) {
        const refusal = refusalOf(error);
        throw refusal ? new IdentityRefusal(refusal.reason, { ...refusal.details, subject }) : error;
      }
    });
  }

  /** Within the time and the number of requests that may wait for it. */
  private async withProvider<Answer>(
    ask: (openid: OpenId, client: Configuration) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.waiting >= waitingMax) {
      throw new IdentityRefusal('provider_unavailable', { problem: `${waitingMax} requests wait for it` });
    }
    const deadline = AbortSignal.timeout(timeoutMs);
    this.waiting += 1;
    try {
      const openid = await import('openid-client');
      const metadata = await this.findMetadata(openid);
      return await ask(openid, this.client(openid, metadata, deadline));
    } catch (error) {
      const refusal = refusalOf(error);
      // Endpoints that have moved, too, answer what can't be used.
      if (refusal && askAgainAfter.includes(refusal.reason)) this.forgetMetadata();
      throw refusal ?? error;
    } finally {
      this.waiting -= 1;
    }
  }

  /** The next sign-in asks the provider again. */
  forgetMetadata(): void {
    this.known = undefined;
  }

  private findMetadata(openid: OpenId): Promise<ServerMetadata> {
    if (this.known && this.known.until > performance.now()) return this.known.metadata;
    const metadata = this.discover(openid);
    this.known = { metadata, until: performance.now() + metadataMs };
    // All that wait for it fail; the next one asks again.
    metadata.catch(() => this.forgetMetadata());
    return metadata;
  }

  /** Throws `misconfigured` when there is no such provider at the address. */
  private async discover(openid: OpenId): Promise<ServerMetadata> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '' } = this.config;
    const issuer = new URL(OIDC_ISSUER);
    try {
      const client = await openid.discovery(issuer, OIDC_CLIENT_ID, undefined, openid.None(), {
        // The configuration allows http only on this machine.
        execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
        [openid.customFetch]: providerFetch(AbortSignal.timeout(timeoutMs)),
      });
      const metadata = client.serverMetadata();
      // Microsoft's endpoints for all tenants name no issuer: anyone can make a tenant with any address in it.
      if (!metadata.issuer.includes('{')) return metadata;
      throw new IdentityRefusal('misconfigured', { problem: 'the issuer is that of all tenants' });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.reason !== 'answer_refused') throw refusal ?? error;
      throw new IdentityRefusal('misconfigured', refusal.details);
    }
  }

  /**
   * One for each request, with its own deadline. So the provider's keys are asked for at each sign-in, and one that has
   * changed them signs in the next person.
   */
  private client(openid: OpenId, metadata: ServerMetadata, deadline: AbortSignal): Configuration {
    const { OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = this.config;
    const authentication = clientAuthentication(openid, metadata, OIDC_CLIENT_SECRET);
    const options = { [openid.clockTolerance]: clockToleranceSeconds };
    const client = new openid.Configuration(metadata, OIDC_CLIENT_ID, options, authentication);
    client[openid.customFetch] = providerFetch(deadline);
    openid.enableNonRepudiationChecks(client);
    // The configuration allows http only on this machine.
    if (this.issuer?.startsWith('http:')) openid.allowInsecureRequests(client);
    return client;
  }
}

const askAgainAfter: readonly string[] = ['misconfigured', 'provider_unavailable', 'answer_refused'];

/** A provider may refuse what it does not know; some say what they do. */
function promptToChoose({ prompt_values_supported: known }: ServerMetadata): string {
  const isKnown = !Array.isArray(known) || known.includes('select_account');
  return isKnown ? 'select_account' : 'login';
}

/**
 * How the client shows its secret, by what the provider says that it takes; a provider that says nothing takes `Basic`
 * (OpenID Connect Discovery, section 3). In the body where both are taken: some providers do not decode what `Basic` has
 * to encode. Throws `misconfigured` for a provider that takes neither.
 */
function clientAuthentication(openid: OpenId, metadata: ServerMetadata, secret: string): ClientAuth {
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (taken.includes('client_secret_post')) return openid.ClientSecretPost(secret);
  if (taken.includes('client_secret_basic')) return openid.ClientSecretBasic(secret);
  throw new IdentityRefusal('misconfigured', {
    problem: 'the provider takes neither client_secret_basic nor client_secret_post',
  });
}
