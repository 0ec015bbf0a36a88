/** What decides at which origin customers reach the public port. */
export interface PublicOriginConfig {
  readonly PUBLIC_URL?: string;
  readonly HOST: string;
  readonly PORT: number;
  readonly TLS_CERT_FILE?: string;
}

/** The origin of the public port as customers write it; where the gateway listens, unless the configuration says. */
export function publicOrigin({ PUBLIC_URL, HOST, PORT, TLS_CERT_FILE }: PublicOriginConfig): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  const scheme = TLS_CERT_FILE === undefined ? 'http' : 'https';
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return new URL(`${scheme}://${host}:${PORT}`).origin;
}
