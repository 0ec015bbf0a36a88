import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type ServerMetadata } from 'openid-client';
import { IdentityRefusal, refusalOf } from './identity-refusal.js';
import { providerFetch } from './provider-fetch.js';

/** The variables of a sign-in with an OpenID provider. */
export interface OpenIdConfig {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  /** Domains whose addresses count as verified though the provider does not say so. */
  readonly OIDC_TRUST_EMAIL_DOMAINS?: readonly string[];
}

/** A provider may move its endpoints: it is asked again after so long, and after a failure. */
const maxAgeMs = 600_000;
const timeoutMs = 4_000;

/** The provider's metadata, requested at a sign-in and shared by all sign-ins. */
@Injectable()
export class ProviderMetadata {
  private known?: { readonly metadata: Promise<ServerMetadata>; readonly until: number };

  constructor(@Inject(CONFIG) private readonly config: OpenIdConfig) {}

  /** Throws `IdentityRefusal`: `provider_unavailable`, or `misconfigured` when there is no such provider at the address. */
  find(): Promise<ServerMetadata> {
    if (this.known && this.known.until > performance.now()) return this.known.metadata;
    const metadata = this.discover();
    this.known = { metadata, until: performance.now() + maxAgeMs };
    // Every waiting sign-in gets the failure.
    metadata.catch(() => this.forget());
    return metadata;
  }

  /** The next sign-in asks the provider again. */
  forget(): void {
    delete this.known;
  }

  private async discover(): Promise<ServerMetadata> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '' } = this.config;
    const openid = await import('openid-client');
    const issuer = new URL(OIDC_ISSUER);
    try {
      const client = await openid.discovery(issuer, OIDC_CLIENT_ID, undefined, openid.None(), {
        // The configuration allows http only on this machine.
        execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
        [openid.customFetch]: providerFetch(AbortSignal.timeout(timeoutMs)),
      });
      const metadata = client.serverMetadata();
      // Microsoft's endpoints for all tenants name no issuer: anyone can make a tenant with any address in it.
      if (metadata.issuer.includes('{')) {
        throw new IdentityRefusal('misconfigured', { problem: 'the issuer is that of all tenants' });
      }
      return metadata;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.reason !== 'answer_refused') throw refusal ?? error;
      throw new IdentityRefusal('misconfigured', refusal.details);
    }
  }
}
