import { readFileSync } from 'node:fs';
import { type GatewayConfig } from '../../config/gateway-config.js';
import { serverLimits } from './http-options.js';

interface Tls {
  readonly https:
    | ({ readonly cert: Buffer; readonly key: Buffer; readonly allowHalfOpen: true } & typeof serverLimits)
    | null;
}

/**
 * The certificate and key of the public port, validated by the configuration; `null` when it serves plain HTTP behind a
 * proxy.
 */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: GatewayConfig): Tls {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return { https: null };
  return {
    https: {
      cert: readFileSync(TLS_CERT_FILE),
      key: readFileSync(TLS_KEY_FILE),
      // As without TLS: a half-closed client still gets its answers.
      allowHalfOpen: true,
      ...serverLimits,
    },
  };
}
