import { ServiceError } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type Configuration } from 'openid-client';

/** Secrets of one sign-in, which stay in the browser in which it began. */
export interface OpenIdAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** Whom a provider has vouched for. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

interface OpenIdConfig {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
}

/** Longest wait for an answer of the provider. */
const timeoutSeconds = 5;

/** The OpenID provider of the configuration. It is asked for what it supports when somebody first signs in with it. */
@Injectable()
export class OpenIdProvider {
  private discovered?: Promise<Configuration>;

  constructor(@Inject(CONFIG) private readonly config: OpenIdConfig) {}

  get isConfigured(): boolean {
    return this.config.OIDC_ISSUER !== undefined;
  }

  /** Where the browser is sent, and what has to be known when it comes back. */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly attempt: OpenIdAttempt }> {
    const provider = await this.provider();
    const openid = await import('openid-client');
    const attempt = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /** Throws `unauthorized` when the provider does not vouch for an address; the reason is in the cause. */
  async finish(callbackUrl: URL, attempt: OpenIdAttempt): Promise<VerifiedIdentity> {
    const provider = await this.provider();
    const openid = await import('openid-client');
    try {
      const tokens = await openid.authorizationCodeGrant(provider, callbackUrl, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('there is no ID token');
      const { sub, iss } = claims;
      // Some providers tell the address only when asked for it.
      const about =
        claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
          ? await openid.fetchUserInfo(provider, tokens.access_token, sub)
          : claims;
      if (typeof about.email !== 'string' || about.email_verified !== true) {
        throw new Error('the provider has not verified an address');
      }
      return { issuer: iss, subject: sub, email: about.email };
    } catch (cause) {
      throw new ServiceError('unauthorized', 'Your company did not confirm who you are.', { cause });
    }
  }

  private provider(): Promise<Configuration> {
    this.discovered ??= this.discover().catch((cause: unknown) => {
      // Asked again next time.
      delete this.discovered;
      throw new ServiceError('unavailable', 'The sign-in of your company does not answer.', { cause });
    });
    return this.discovered;
  }

  private async discover(): Promise<Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.config;
    if (OIDC_ISSUER === undefined) throw new Error('no OpenID provider is configured');
    const openid = await import('openid-client');
    const issuer = new URL(OIDC_ISSUER);
    // The configuration allows http on this machine alone.
    const execute = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    return openid.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
      execute,
      timeout: timeoutSeconds,
    });
  }
}
