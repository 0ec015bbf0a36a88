import { CONFIG } from '#platform';
import { Global, Module } from '@nestjs/common';

/** Injection token of the origin of the public port. */
export const PUBLIC_ORIGIN = Symbol('PUBLIC_ORIGIN');

/** What decides at which origin customers reach the public port. */
interface PublicOriginConfig {
  readonly PUBLIC_URL?: string;
  readonly HOST: string;
  readonly PORT: number;
  readonly TLS_CERT_FILE?: string;
}

/** The origin of the public port as customers write it; where the gateway listens, unless the configuration says. */
function publicOrigin({ PUBLIC_URL, HOST, PORT, TLS_CERT_FILE }: PublicOriginConfig): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  const scheme = TLS_CERT_FILE === undefined ? 'http' : 'https';
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return new URL(`${scheme}://${host}:${PORT}`).origin;
}

const httpsOnly = { 'strict-transport-security': 'max-age=31536000' };

/** What tells browsers to use https only, where customers reach the public port by it. */
export function transportSecurity(config: PublicOriginConfig): Readonly<Record<string, string>> {
  return publicOrigin(config).startsWith('https:') ? httpsOnly : {};
}

/** Provides the origin of the public port to every module. */
@Global()
@Module({
  providers: [{ provide: PUBLIC_ORIGIN, inject: [CONFIG], useFactory: publicOrigin }],
  exports: [PUBLIC_ORIGIN],
})
export class PublicOriginModule {}
