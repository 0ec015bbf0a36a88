import { type ClientAuth, type ServerMetadata } from 'openid-client';
import { IdentityRefusal } from './identity-refusal.js';

/**
 * How the client shows its secret, by what the provider says that it takes; a provider that says nothing takes `Basic`
 * (OpenID Connect Discovery, section 3). In the body where both are taken: some providers do not decode what `Basic` has
 * to encode. Throws `misconfigured` for a provider that takes neither.
 */
export async function clientAuthentication(metadata: ServerMetadata, secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await import('openid-client');
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (taken.includes('client_secret_post')) return ClientSecretPost(secret);
  if (taken.includes('client_secret_basic')) return ClientSecretBasic(secret);
  throw new IdentityRefusal('misconfigured', {
    problem: 'the provider takes neither client_secret_basic nor client_secret_post',
  });
}
