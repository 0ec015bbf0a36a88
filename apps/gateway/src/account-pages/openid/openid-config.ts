/** The variables of a sign-in with an OpenID provider. */
export interface OpenIdConfig {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  /** Domains whose addresses count as verified though the provider does not say so. */
  readonly OIDC_TRUST_EMAIL_DOMAINS?: readonly string[];
}
